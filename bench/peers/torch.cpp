// A peer in C++: PyTorch through its own library, without Python. bench/peer.c has the protocol.
//
// torch_rows.h is written by `build/bench/run --torch-rows` from the same table as everything else: one function for each
// workload that has C++ code, and the list `rows`.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIndexing.h>
#include <torch/headeronly/version.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>

using Runner = std::function<void(int64_t)>;

struct Row {
    const char *name;
    Runner (*prepare)();
};

#include "torch_rows.h"

static long faults() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static std::string one_line(std::string text) { return text.substr(0, text.find('\n')); }

static std::string obey(const std::string &line, Runner &run) {
    if (line.compare(0, 8, "prepare\t") == 0) {
        std::istringstream words(line.substr(8));
        std::string name, threads;
        std::getline(words, name, '\t');
        std::getline(words, threads, '\t');
        at::set_num_threads(std::atoi(threads.c_str()));
        for (const Row &row : rows)
            if (name == row.name) {
                run = row.prepare();
                run(1);
                return "ready";
            }
        return "sorry this program was made without that workload";
    }
    if (line == "finish") {
        run = nullptr;
        return "finished";
    }
    int64_t times = std::atoll(line.c_str() + 4);
    run(times < 16 ? 1 : times / 8);
    long before = faults();
    auto begin = std::chrono::steady_clock::now();
    run(times);
    auto end = std::chrono::steady_clock::now();
    return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count()) + " " +
           std::to_string(faults() - before);
}

int main() {
    std::cout << "hello PyTorch " << TORCH_VERSION << " (libtorch_cpu.so)" << std::endl;
    Runner run;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << obey(line, run) << std::endl;
        } catch (const std::exception &reason) {
            std::cout << "sorry " << one_line(reason.what()) << std::endl;
        }
    }
}
