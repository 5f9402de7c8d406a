/* typed_kalman.cpp - a filter that follows a moving point, with matrices whose sizes the compiler knows: no allocation, no loop left. */
#include <cmath>
#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;
using Matrix = FixedTensor<double, Fixed<2, 2>>;
using Column = FixedTensor<double, Fixed<2, 1>>;
using Row = FixedTensor<double, Fixed<1, 2>>;

int main() {
    const double step = 0.1, noise = 0.5;
    const Matrix move{{1, step, 0, 1}}, drift{{1e-4, 0, 0, 1e-3}}, unit{{1, 0, 0, 1}};
    const Row see{{1, 0}}; /* only the position is measured */
    Column state{{0, 0}};
    Matrix spread{{10, 0, 0, 10}};
    for (int i = 1; i <= 200; i++) {
        double position = 2 * step * i, measured = position + noise * std::sin(i * 12.9898) * std::cos(i * 78.233);
        state = move.matmul(state);
        spread = move.matmul(spread).matmul(move.t()) + drift;
        Column gain = spread.matmul(see.t()) / (see.matmul(spread).matmul(see.t())(0, 0) + noise * noise);
        state = state + gain * (measured - see.matmul(state)(0, 0));
        spread = (unit - gain.matmul(see)).matmul(spread);
    }
    std::printf("position %.1f, speed %.1f\n", state(0, 0), state(1, 0));
}
