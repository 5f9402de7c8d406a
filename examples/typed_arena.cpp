/* typed_arena.cpp - allocators are policies: the same code with memory that is counted, and memory that is given back all at once. */
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

template <class Device, class... Allocator> float work(const Allocator &...allocator) {
    Tensor<float, Device> a({100, 3}, allocator...), b({3}, allocator...);
    a.fill(1);
    b.fill(2);
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a.slice(0, i, i + 10) * b).sum();
    return sum;
}

int main() {
    std::printf("the library's allocator: %g\n", static_cast<double>(work<CPU>()));

    CountingAllocator<float> counting;
    std::printf("counted: %g", static_cast<double>(work<CPUWith<CountingAllocator>>(counting)));
    std::printf(", %lld allocations, %lld alive\n", static_cast<long long>(counting.core().calls()),
                static_cast<long long>(counting.core().live()));

    ArenaAllocator<float> arena(std::size_t{1} << 16);
    for (int i = 0; i < 1000; i++)
        work<CPUWith<ArenaAllocator>>(arena);
    std::printf("an arena of %zu bytes was enough for 1000 rounds\n", arena.core().reserved_bytes());

    PinnedAllocator<float> pinned;
    Tensor<float, CPUWith<PinnedAllocator>> page({1024}, pinned);
    bool said = pinned.core().locked_bytes() >= 4096 || pinned.core().reason()[0];
    std::printf("pinned: %s\n", said ? "locked, or the allocator says why not" : "neither locked nor explained");
}
