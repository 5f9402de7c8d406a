/* typed_quickstart.cpp - the typed face in a few lines: a view, a fused expression, a reduction, gradients, and the dynamic face. */
#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
    auto original = Tensor<float, CPU>::of({{1, 2, 3}, {4, 5, 6}});

    /* A view: sizes, strides, an offset and one more reference. No element is copied. */
    auto view = original.view({3, 2});
    view(0, 1) = 20;
    std::cout << "written through the view: " << original(0, 1)
              << ", references to the storage: " << original.storage().use_count() << "\n";

    /* An expression is a value that holds its operands; assigning it is one pass over memory. */
    auto e = original * 2 + original.mean({1}, true);
    Tensor<float, CPU> result = e;
    std::cout << result << "\nsum of squares " << e.square().sum() << "\n";

    /* The dynamic face has every operator of the library, over the same memory. */
    AnyTensor any = result;
    auto [values, indices] = any.sort(1, true);
    std::cout << indices << "\n";

    /* Gradients are recorded by the library. */
    auto w = Tensor<float, CPU>::of({1, 2, 3});
    w.requires_grad_();
    (w.square() * 3).sum().backward();
    std::cout << "gradient " << w.grad() << "\n";

    /* An error is an exception with a code and a sentence. */
    try {
        original.t().view({6});
    } catch (const Error &error) {
        std::cout << tn_error_name(error.code()) << ": " << error.what() << "\n";
    }
}
