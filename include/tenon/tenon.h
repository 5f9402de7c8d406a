/* tenon/tenon.h - all of Tenon. Start reading at tenon/base.h (errors, ownership, scopes), then tenon/tensor.h. */
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include <tenon/autograd.h>
#include <tenon/backend.h>
#include <tenon/base.h>
#include <tenon/blas.h>
#include <tenon/cpu.h>
#include <tenon/dispatch.h>
#include <tenon/dtype.h>
#include <tenon/einsum.h>
#include <tenon/files.h>
#include <tenon/gemm.h>
#include <tenon/geometry.h>
#include <tenon/index.h>
#include <tenon/lapack.h>
#include <tenon/memory.h>
#include <tenon/observe.h>
#include <tenon/onnx.h>
#include <tenon/operators.h>
#include <tenon/prepack.h>
#include <tenon/print.h>
#include <tenon/profile.h>
#include <tenon/random.h>
#include <tenon/storage.h>
#include <tenon/tensor.h>
#include <tenon/threads.h>
#include <tenon/train.h>

#endif
