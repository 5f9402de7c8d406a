/* tenon/cpp/loop.hpp - how an expression is computed: one pass over all of its operands, of any strides, by several threads.
 *
 * A plan lines the operands up with the result: dimensions in the order of the result's memory, those that all operands walk through
 * together merged into one. What is left is rows. Rows are computed in tiles; an operand whose elements are not next to each other
 * along a row is copied into a small block first, for the whole tile, so that a transposed one is read in whole cache lines. The loop
 * itself always runs over contiguous memory: one loop, compiled with the program's own flags, for every layout.
 *
 * Work is cut by the sizes alone, so a result has the same bits for any number of threads.
 */
#ifndef TENON_CPP_LOOP_HPP
#define TENON_CPP_LOOP_HPP

#include <tuple>

#include <tenon/cpp/base.hpp>
#include <tenon/cpp/packet.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#define TENON_KEEP_LANES_ __asm__ volatile(""); /* or gcc joins two rounds of the loop, and keeps the lanes in memory */
#else
#define TENON_KEEP_LANES_
#endif

namespace tenon {
namespace detail {

constexpr int64_t tile_elements = 2048;   /* of one operand's block                                            */
constexpr int64_t tile_rows = 16;         /* read together where an operand is transposed: a cache line of floats */
constexpr int64_t short_row = 64;         /* shorter rows are put together, where they are packed anyway       */
constexpr int64_t least_row = 16;         /* and where they are not                                            */
constexpr int64_t grain_elements = 65536; /* the least worth another thread, divided by an expression's cost   */
constexpr int64_t run_elements = 4096;    /* of a sum, before it goes to a wider total                         */
constexpr int loop_block = 32;            /* a constant count: compilers make vectors of it at -O2 too         */

/* One operand, lined up: address of its first element, and a stride (in elements) for each dimension of the plan. */
template <int Room> struct Lined {
    const char *base;
    int64_t itemsize;
    int64_t strides[Room];
};

template <int Room, int Leaves> struct Plan {
    int rank = 0;
    int64_t sizes[Room];
    Lined<Room> out;
    Lined<Room> leaf[Leaves > 0 ? Leaves : 1];
    int64_t rows() const { return rank < 2 ? 1 : sizes[rank - 2]; }
    int64_t inner() const { return rank < 1 ? 1 : sizes[rank - 1]; }
};

/* The last dimension of `lined` moves fastest; size-1 dimensions are gone; what all walk through together is one. */
template <int Room, int Leaves> void simplify(Plan<Room, Leaves> &plan, bool reorder) {
    auto each = [&](auto &&f) {
        f(plan.out);
        for (int l = 0; l < Leaves; l++)
            f(plan.leaf[l]);
    };
    int kept = 0;
    for (int d = 0; d < plan.rank; d++) {
        if (plan.sizes[d] == 1)
            continue;
        plan.sizes[kept] = plan.sizes[d];
        each([&](Lined<Room> &x) { x.strides[kept] = x.strides[d]; });
        kept++;
    }
    plan.rank = kept;
    auto magnitude = [](int64_t stride) { return stride < 0 ? -stride : stride; };
    for (int d = 1; reorder && d < plan.rank; d++) /* insertion: larger strides of the result first */
        for (int k = d; k > 0 && magnitude(plan.out.strides[k - 1]) < magnitude(plan.out.strides[k]); k--) {
            std::swap(plan.sizes[k - 1], plan.sizes[k]);
            each([&](Lined<Room> &x) { std::swap(x.strides[k - 1], x.strides[k]); });
        }
    kept = plan.rank > 0 ? 1 : 0;
    for (int d = 1; d < plan.rank; d++) {
        bool merge = true;
        each([&](const Lined<Room> &x) { merge = merge && x.strides[kept - 1] == plan.sizes[d] * x.strides[d]; });
        if (merge)
            plan.sizes[kept - 1] *= plan.sizes[d];
        else
            plan.sizes[kept++] = plan.sizes[d];
        each([&](Lined<Room> &x) { x.strides[kept - 1] = x.strides[d]; });
    }
    plan.rank = kept;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

/* Count elements from `at` on. */
template <int Count, class T, class Kernel> inline void make_block(T *made, const Kernel &kernel, int64_t at) {
    for (int j = 0; j < Count; j++)
        made[j] = static_cast<T>(kernel(at + j));
}

/* Elements are made in a small array that nothing else can see, so that the compiler need not ask whether out is an operand. */
template <int Count, class Out, class Kernel> inline void store_block(Out *out, const Kernel &kernel, int64_t at) {
    Out made[Count];
    make_block<Count>(made, kernel, at);
    std::memcpy(static_cast<void *>(out + at), made, sizeof made);
}

#if TENON_PACKETS
/* A row in packets. What is left at its end is computed as the last whole packet of the row, before the first write: out may be an
 * operand. `Stream` writes past the caches, out is aligned then. */
template <bool Stream, class S, class Kernel> TENON_INLINE void store_packets(S *out, const Kernel &kernel, int64_t count) {
    constexpr int lanes = Packet<S>::lanes;
    if (count < lanes) {
        if (count > 0)
            packet_store_part<S>(out, kernel.template packet_part<S>(0, count), count);
        return;
    }
    packet_t<S> last = kernel.template packet<S>(count - lanes);
    int64_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        packet_t<S> a = kernel.template packet<S>(i), b = kernel.template packet<S>(i + lanes),
                    c = kernel.template packet<S>(i + 2 * lanes), d = kernel.template packet<S>(i + 3 * lanes);
        if constexpr (Stream) {
            packet_stream<S>(out + i, a);
            packet_stream<S>(out + i + lanes, b);
            packet_stream<S>(out + i + 2 * lanes, c);
            packet_stream<S>(out + i + 3 * lanes, d);
        } else {
            packet_store<S>(out + i, a);
            packet_store<S>(out + i + lanes, b);
            packet_store<S>(out + i + 2 * lanes, c);
            packet_store<S>(out + i + 3 * lanes, d);
        }
    }
    for (; i + lanes < count; i += lanes)
        packet_store<S>(out + i, kernel.template packet<S>(i));
    packet_store<S>(out + count - lanes, last);
}
#endif

/* One row, from where it is called; and as a function of its own. */
template <class Out, class Kernel> TENON_INLINE void store_row_here(Out *out, const Kernel &kernel, int64_t count) {
#if TENON_PACKETS
    if constexpr (Kernel::template packs<Out>) {
        store_packets<false>(out, kernel, count);
        return;
    }
#endif
    int64_t i = 0;
    for (; i + loop_block <= count; i += loop_block)
        store_block<loop_block>(out, kernel, i);
    for (; i + 8 <= count; i += 8)
        store_block<8>(out, kernel, i);
    for (; i < count; i++)
        out[i] = static_cast<Out>(kernel(i));
}
template <class Out, class Kernel> TENON_NOINLINE void store_row(Out *out, const Kernel kernel, int64_t count) {
    store_row_here(out, kernel, count);
}

/* Several rows, `pitch` apart in the result. */
template <class Out, class E, class Rows>
TENON_NOINLINE void store_rows(Out *out, int64_t pitch, const E &e, const Rows at, int64_t rows, int64_t columns) {
    for (int64_t r = 0; r < rows; r++)
        store_row_here(out + r * pitch, e.template kernel<0>(at, r), columns);
}

/* The same past the caches, where the row is aligned and has packets. */
template <class Out, class Kernel> TENON_NOINLINE void stream_row(Out *out, const Kernel kernel, int64_t count) {
#if TENON_PACKETS
    if constexpr (Kernel::template packs<Out> && can_stream)
        if (reinterpret_cast<uintptr_t>(out) % packet_bytes == 0) {
            store_packets<true>(out, kernel, count);
            stream_end();
            return;
        }
#endif
    store_row_here(out, kernel, count);
}
/* Whether a result and what it is made of, so many bytes together, are too much for the caches: more than half of the last one, as
 * in the library. */
inline bool is_streamed(int64_t bytes) {
    static const int64_t from = [] {
        tn_machine machine = {};
        machine.struct_size = sizeof machine;
        return tn_machine_find(&machine) == TN_OK ? machine.last_bytes / 2 : INT64_MAX;
    }();
    return bytes > from;
}

template <class S> inline void pack_row(S *to, const S *from, int64_t stride, int64_t count) {
    int64_t i = 0;
    if (stride == 1)
        std::memcpy(static_cast<void *>(to), from, static_cast<std::size_t>(count) * sizeof(S));
    else if (stride == 2) {
#if TENON_PACKETS
        if constexpr (has_packets<S>) /* the last packet ends before the element after the last one, which need not exist */
            for (; i + Packet<S>::lanes < count; i += Packet<S>::lanes)
                packet_store<S>(to + i, packet_load_even<S>(from + 2 * i));
#endif
        for (; i < count; i++)
            to[i] = from[2 * i];
    } else
        for (; i < count; i++)
            to[i] = from[i * stride];
}

/* A square of `side` x `side` elements, turned over. `step`: how far apart the rows of `from` are. */
#if defined(__AVX__)
constexpr int turned_side = 8;
inline void turn_square(float *to, int64_t pitch, const float *from, int64_t step) {
    auto pair = [&](int64_t row, int64_t column) { /* four elements of a row, and of the fourth row after it */
                                                   return _mm256_insertf128_ps(
                                                       _mm256_castps128_ps256(_mm_loadu_ps(from + row * step + column)),
                                                       _mm_loadu_ps(from + (row + 4) * step + column), 1);
    };
    for (int64_t c = 0; c < 8; c += 4) {
        __m256 r0 = pair(0, c), r1 = pair(1, c), r2 = pair(2, c), r3 = pair(3, c);
        __m256 t0 = _mm256_unpacklo_ps(r0, r1), t1 = _mm256_unpackhi_ps(r0, r1), t2 = _mm256_unpacklo_ps(r2, r3),
               t3 = _mm256_unpackhi_ps(r2, r3);
        _mm256_storeu_ps(to + c * pitch, _mm256_shuffle_ps(t0, t2, 0x44));
        _mm256_storeu_ps(to + (c + 1) * pitch, _mm256_shuffle_ps(t0, t2, 0xee));
        _mm256_storeu_ps(to + (c + 2) * pitch, _mm256_shuffle_ps(t1, t3, 0x44));
        _mm256_storeu_ps(to + (c + 3) * pitch, _mm256_shuffle_ps(t1, t3, 0xee));
    }
}
#elif defined(__SSE2__)
constexpr int turned_side = 4;
inline void turn_square(float *to, int64_t pitch, const float *from, int64_t step) {
    __m128 r0 = _mm_loadu_ps(from), r1 = _mm_loadu_ps(from + step), r2 = _mm_loadu_ps(from + 2 * step),
           r3 = _mm_loadu_ps(from + 3 * step);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(to, r0);
    _mm_storeu_ps(to + pitch, r1);
    _mm_storeu_ps(to + 2 * pitch, r2);
    _mm_storeu_ps(to + 3 * pitch, r3);
}
#else
constexpr int turned_side = 4;
#endif
template <class S> inline void turn_square(S *to, int64_t pitch, const S *from, int64_t step) {
    for (int64_t c = 0; c < turned_side; c++)
        for (int64_t r = 0; r < turned_side; r++)
            to[r * pitch + c] = from[c * step + r];
}

/* rows x columns elements into a block whose rows are `pitch` apart. */
template <class S>
inline void pack_tile(S *to, int64_t pitch, const S *from, int64_t row_stride, int64_t stride, int64_t rows, int64_t columns) {
    int64_t r = 0;
    if (row_stride == 1 && stride != 1) /* transposed: read along the rows of memory */
        for (; r + turned_side <= rows; r += turned_side) {
            int64_t c = 0;
            for (; c + turned_side <= columns; c += turned_side)
                turn_square(to + r * pitch + c, pitch, from + c * stride + r, stride);
            for (; c < columns; c++)
                for (int64_t k = r; k < r + turned_side; k++)
                    to[k * pitch + c] = from[c * stride + k];
        }
    for (; r < rows; r++)
        pack_row(to + r * pitch, from + r * row_stride, stride, columns);
}

template <class S>
inline void unpack_tile(S *to, int64_t row_stride, int64_t stride, const S *from, int64_t pitch, int64_t rows,
                        int64_t columns) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            to[r * row_stride + c * stride] = from[r * pitch + c];
}

/* ---- tiles --------------------------------------------------------------------------------------------------------- */

/* Where the operands of one tile are: the address of each, and how far apart its rows are. */
template <int Leaves> struct TileRows {
    const void *at[Leaves > 0 ? Leaves : 1];
    int64_t pitch[Leaves > 0 ? Leaves : 1];
};

/* Blocks for the operands that have to be packed. */
template <class E> struct TileBlocks {
    alignas(64) char bytes[E::leaves > 0 ? E::leaves : 1][tile_elements * (E::widest > 0 ? E::widest : 1)];
};

/* Points to the operands of a tile of `rows` x `columns`, packing those that are not contiguous along it. With `flat` the tile is one
 * run of rows * columns elements. */
template <class E, int Room> struct TileReader {
    const Plan<Room, E::leaves> &plan;
    TileBlocks<E> &blocks;
    TileRows<E::leaves> &rows_at;
    const int64_t *starts; /* of each operand: the tile's first element */
    int64_t rows, columns;
    bool flat;
    int l = 0;

    template <class S> void leaf() {
        const Lined<Room> &x = plan.leaf[l];
        int64_t stride = plan.rank < 1 ? 1 : x.strides[plan.rank - 1],
                row_stride = plan.rank < 2 ? 0 : x.strides[plan.rank - 2];
        const S *from = reinterpret_cast<const S *>(x.base) + starts[l];
        bool direct = (stride == 1 || columns == 1) && (!flat || rows == 1 || row_stride == columns);
        if (direct) {
            rows_at.at[l] = from;
            rows_at.pitch[l] = row_stride;
        } else {
            int64_t pitch = columns;
            S *to = reinterpret_cast<S *>(blocks.bytes[l]);
            pack_tile(to, pitch, from, row_stride, stride, rows, columns);
            rows_at.at[l] = to;
            rows_at.pitch[l] = pitch;
        }
        l++;
    }
};

/* How the rows of a plan are cut into tiles. */
struct Cut {
    int64_t rows, columns; /* of a tile */
    bool flat;
    int64_t row_tiles, column_tiles, outer; /* how many there are; outer: the dimensions before the last two together */
};

template <int Room, int Leaves> Cut cut_of(const Plan<Room, Leaves> &plan) {
    Cut cut{};
    int64_t inner = plan.inner(), rows = plan.rows();
    bool transposed = false, strided = false;
    for (int l = -1; l < Leaves; l++) {
        const Lined<Room> &x = l < 0 ? plan.out : plan.leaf[l];
        int64_t stride = plan.rank < 1 ? 1 : x.strides[plan.rank - 1];
        strided = strided || stride != 1;
        transposed = transposed || (plan.rank >= 2 && stride != 1 && stride != 0 && x.strides[plan.rank - 2] == 1);
    }
    cut.flat = inner < (strided ? short_row : least_row) && plan.rank >= 2;
    if (cut.flat) {
        cut.columns = inner;
        cut.rows = inner > 0 ? tile_elements / inner : 1;
    } else {
        cut.columns = transposed ? tile_elements / tile_rows : strided ? tile_elements : 16 * tile_elements;
        int64_t columns = inner < cut.columns ? inner : cut.columns;
        cut.rows = transposed               ? tile_rows
                   : strided && columns > 0 ? tile_elements / columns
                   : columns > 0            ? 8 * tile_elements / columns + 1 /* nothing to pack: many rows */
                                            : 1;
    }
    cut.rows = cut.rows < rows ? cut.rows : rows > 0 ? rows : 1;
    cut.row_tiles = (rows + cut.rows - 1) / cut.rows;
    cut.column_tiles = cut.columns > 0 ? (inner + cut.columns - 1) / cut.columns : 0;
    cut.outer = 1;
    for (int d = 0; d + 2 < plan.rank; d++)
        cut.outer *= plan.sizes[d];
    return cut;
}

/* Calls body(tile's rows, result's first element, rows, columns) for tile number t of the cut. */
template <class E, int Room, class Body>
void do_tile(const E &, const Plan<Room, E::leaves> &plan, const Cut &cut, int64_t t, TileBlocks<E> &blocks, Body &&body) {
    int64_t column = t % cut.column_tiles * cut.columns, rest = t / cut.column_tiles;
    int64_t row = rest % cut.row_tiles * cut.rows;
    rest /= cut.row_tiles;
    int64_t rows = plan.rows() - row < cut.rows ? plan.rows() - row : cut.rows;
    int64_t columns = plan.inner() - column < cut.columns ? plan.inner() - column : cut.columns;
    int64_t starts[E::leaves > 0 ? E::leaves : 1] = {}, out = 0;
    auto advance = [&](int d, int64_t index) {
        out += index * plan.out.strides[d];
        for (int l = 0; l < E::leaves; l++)
            starts[l] += index * plan.leaf[l].strides[d];
    };
    for (int d = plan.rank - 3; d >= 0; d--) {
        advance(d, rest % plan.sizes[d]);
        rest /= plan.sizes[d];
    }
    if (plan.rank >= 2)
        advance(plan.rank - 2, row);
    if (plan.rank >= 1)
        advance(plan.rank - 1, column);
    TileRows<E::leaves> rows_at{};
    TileReader<E, Room> reader{plan, blocks, rows_at, starts, rows, columns, cut.flat};
    E::each_type(reader);
    body(rows_at, out, rows, columns);
}

/* In elements, a multiple of a cache line's. */
template <class E> constexpr int64_t grain_of() {
    return grain_elements / (E::cost < 1 ? 1 : E::cost > 16 ? 16 : E::cost) / 64 * 64;
}

/* What is run on the library's threads. An exception of a program's own scalar type must not leave through C: it waits here. */
template <class F> struct Task {
    F &body;
#if TENON_EXCEPTIONS
    std::exception_ptr thrown;
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    explicit Task(F &f) : body(f) {}
    void run(int64_t begin, int64_t end) {
        try {
            body(begin, end);
        } catch (...) {
            if (!taken.test_and_set())
                thrown = std::current_exception();
        }
    }
    void done() {
        if (thrown)
            std::rethrow_exception(thrown);
    }
#else
    explicit Task(F &f) : body(f) {}
    void run(int64_t begin, int64_t end) { body(begin, end); }
    void done() {}
#endif
};

/* Runs f(begin, end) over 0..count-1 on the library's threads; false when the call was cancelled. */
template <class F> bool parallel(int64_t count, int64_t grain, F &&f) {
    if (count <= grain) {
        if (count > 0)
            f(int64_t{0}, count);
        return true;
    }
    using Body = Task<std::remove_reference_t<F>>;
    Body task(f);
    tn_error result = tn_parallel(
        count, grain, [](void *body, int64_t begin, int64_t end) { static_cast<Body *>(body)->run(begin, end); }, &task);
    task.done();
    if (result != TN_OK)
        fail();
    return result == TN_OK;
}

/* out = e, where the operands lie as the plan says. */
template <class Out, class E, int Room> bool store_planned(Out *out, const E &e, const Plan<Room, E::leaves> &plan) {
    for (int d = 0; d < plan.rank; d++)
        if (plan.sizes[d] == 0)
            return true;
    Cut cut = cut_of(plan);
    int64_t tiles = cut.outer * cut.row_tiles * cut.column_tiles, each = cut.rows * cut.columns;
    int64_t stride = plan.rank < 1 ? 1 : plan.out.strides[plan.rank - 1],
            row_stride = plan.rank < 2 ? 0 : plan.out.strides[plan.rank - 2];
    int64_t grain = grain_of<E>() / (each > 0 ? each : 1);
    return parallel(tiles, grain > 1 ? grain : 1, [&](int64_t begin, int64_t end) {
        TileBlocks<E> blocks;
        for (int64_t t = begin; t < end; t++)
            do_tile(e, plan, cut, t, blocks, [&](const TileRows<E::leaves> &at, int64_t first, int64_t rows, int64_t columns) {
                bool whole = stride == 1 || columns == 1;
                if (cut.flat && (rows == 1 || row_stride == columns) && whole)
                    store_row(out + first, e.template kernel<0>(at, 0), rows * columns);
                else if (!cut.flat && whole)
                    store_rows(out + first, row_stride, e, at, rows, columns);
                else { /* a result that is not contiguous along the row is made aside, in pieces of a block */
                    alignas(64) Out made[tile_elements];
                    if (cut.flat) {
                        store_row(made, e.template kernel<0>(at, 0), rows * columns);
                        unpack_tile(out + first, row_stride, stride, made, columns, rows, columns);
                    } else
                        for (int64_t r = 0; r < rows; r++) {
                            store_row(made, e.template kernel<0>(at, r), columns);
                            unpack_tile(out + first + r * row_stride, 0, stride, made, columns, 1, columns);
                        }
                }
            });
    });
}

/* ---- reductions ---------------------------------------------------------------------------------------------------- */

/* Lanes a and b of a row of lanes, combined into the first Half of them, again and again. */
template <class Op, int Half, class Acc> inline void fold_lanes(Acc *lanes) {
    for (int j = 0; j < Half; j++)
        lanes[j] = Op::combine(lanes[j], lanes[j + Half]);
    if constexpr (Half > 1)
        fold_lanes<Op, Half / 2>(lanes);
}

#if TENON_PACKETS
/* The lanes of a vector as one element, halves upon halves. */
template <class Op, class S, int Lanes, class V> TENON_INLINE S fold_vector(V v) {
    if constexpr (Lanes * sizeof(S) > 16) {
        typedef typename HalfVector<S, Lanes / 2>::type Half;
        Half low, high;
        std::memcpy(&low, &v, sizeof low);
        std::memcpy(&high, reinterpret_cast<const char *>(&v) + sizeof low, sizeof high);
        return fold_vector<Op, S, Lanes / 2>(Op::lanes(low, high));
    } else if constexpr (Lanes == 4)
        return Op::combine(Op::combine(S(v[0]), S(v[2])), Op::combine(S(v[1]), S(v[3])));
    else
        return Op::combine(S(v[0]), S(v[1]));
}
template <class Op, class S> TENON_INLINE S fold_packet(packet_t<S> p) { return fold_vector<Op, S, Packet<S>::lanes>(p); }
/* Several packets that do not wait for each other, combined in a fixed order. */
template <class Op, class S, class Kernel> TENON_INLINE S reduce_packets(const Kernel &kernel, int64_t at, int64_t count) {
    constexpr int lanes = Packet<S>::lanes;
    const packet_t<S> identity = packet_of<S>(Op::template identity<S>());
    packet_t<S> a = identity, b = identity, c = identity, d = identity;
    int64_t i = at, end = at + count;
    if (count >= 8 * lanes) {
        packet_t<S> e = identity, f = identity, g = identity, h = identity;
        for (; i + 8 * lanes <= end; i += 8 * lanes) {
            a = Op::lanes(a, kernel.template packet<S>(i));
            b = Op::lanes(b, kernel.template packet<S>(i + lanes));
            c = Op::lanes(c, kernel.template packet<S>(i + 2 * lanes));
            d = Op::lanes(d, kernel.template packet<S>(i + 3 * lanes));
            e = Op::lanes(e, kernel.template packet<S>(i + 4 * lanes));
            f = Op::lanes(f, kernel.template packet<S>(i + 5 * lanes));
            g = Op::lanes(g, kernel.template packet<S>(i + 6 * lanes));
            h = Op::lanes(h, kernel.template packet<S>(i + 7 * lanes));
        }
        a = Op::lanes(a, e);
        b = Op::lanes(b, f);
        c = Op::lanes(c, g);
        d = Op::lanes(d, h);
    }
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
        a = Op::lanes(a, kernel.template packet<S>(i));
        b = Op::lanes(b, kernel.template packet<S>(i + lanes));
    }
    if (i + lanes <= end) {
        a = Op::lanes(a, kernel.template packet<S>(i));
        i += lanes;
    }
    if (i < end) { /* the lanes that are left */
        S few[lanes];
        packet_store<S>(few, identity);
        packet_store_part<S>(few, kernel.template packet_part<S>(i, end - i), end - i);
        c = Op::lanes(c, packet_load<S>(few));
    }
    return fold_packet<Op, S>(Op::lanes(Op::lanes(a, c), Op::lanes(b, d)));
}
#endif

/* The combination of `count` elements from `at` on: lanes that are independent of each other, combined in a fixed order. */
template <class Op, class Acc, class Kernel> inline Acc reduce_run(const Kernel &kernel, int64_t at, int64_t count) {
#if TENON_PACKETS
    if constexpr (Kernel::template packs<Acc>)
        return reduce_packets<Op, Acc>(kernel, at, count);
#endif
    constexpr int width = sizeof(Acc) <= 4 ? 64 : sizeof(Acc) <= 8 ? 32 : 16;
    Acc lanes[width];
    int64_t i = at, end = at + count;
    if (count >= width) {
        make_block<width>(lanes, kernel, i);
        for (i += width; i + width <= end; i += width) {
            Acc next[width];
            make_block<width>(next, kernel, i);
            for (int j = 0; j < width; j++)
                lanes[j] = Op::combine(lanes[j], next[j]);
            TENON_KEEP_LANES_
        }
        for (; i + 16 <= end && width >= 16; i += 16) {
            Acc few[16];
            make_block<16>(few, kernel, i);
            for (int j = 0; j < 16; j++)
                lanes[j] = Op::combine(lanes[j], few[j]);
        }
        fold_lanes<Op, width / 2>(lanes);
    } else
        lanes[0] = Op::template identity<Acc>();
    for (; i + 8 <= end; i += 8) {
        Acc few[8];
        make_block<8>(few, kernel, i);
        fold_lanes<Op, 4>(few);
        lanes[0] = Op::combine(lanes[0], few[0]);
    }
    for (; i < end; i++)
        lanes[0] = Op::combine(lanes[0], static_cast<Acc>(kernel(i)));
    return lanes[0];
}

/* The same for any number of elements: runs go into a wider total. */
template <class Op, class Acc, class Total, class Kernel> TENON_NOINLINE Total reduce_long(const Kernel kernel, int64_t count) {
    Total total = Op::template identity<Total>();
    for (int64_t at = 0; at < count; at += run_elements)
        total = Op::combine(
            total, static_cast<Total>(reduce_run<Op, Acc>(kernel, at, count - at < run_elements ? count - at : run_elements)));
    return total;
}

/* All elements of e, in the order of the plan. Pieces have fixed bounds; their totals are combined from the first to the last. */
template <class Op, class Acc, class Total, class E, int Room>
Total reduce_planned(const E &e, const Plan<Room, E::leaves> &plan) {
    Total total = Op::template identity<Total>();
    for (int d = 0; d < plan.rank; d++)
        if (plan.sizes[d] == 0)
            return total;
    Cut cut = cut_of(plan);
    int64_t tiles = cut.outer * cut.row_tiles * cut.column_tiles, each = cut.rows * cut.columns;
    int64_t grain = grain_of<E>() / (each > 0 ? each : 1);
    grain = grain > 1 ? grain : 1;
    int64_t pieces = (tiles + grain - 1) / grain;
    Total few[16];
    struct Many { /* what a unique_ptr would do, without the header, which is large */
        Total *at;
        ~Many() { delete[] at; }
    } many{pieces > 16 ? new (std::nothrow) Total[static_cast<std::size_t>(pieces)] : nullptr};
    Total *totals = pieces > 16 ? many.at : few;
    if (!totals) {
        tn_error_raise(TN_ERROR_MEMORY, Op::name, "no memory for %lld sums", static_cast<long long>(pieces));
        fail();
        return total;
    }
    bool done = parallel(tiles, grain, [&](int64_t begin, int64_t end) {
        /* One call may be given several pieces, where there is one thread: the totals are the same. */
        TileBlocks<E> blocks;
        for (int64_t piece = begin / grain; begin < end; piece++, begin = piece * grain) {
            int64_t last = (piece + 1) * grain < end ? (piece + 1) * grain : end;
            Total sum = Op::template identity<Total>();
            for (int64_t t = begin; t < last; t++)
                do_tile(e, plan, cut, t, blocks, [&](const TileRows<E::leaves> &at, int64_t, int64_t rows, int64_t columns) {
                    if (cut.flat)
                        sum = Op::combine(sum, reduce_long<Op, Acc, Total>(e.template kernel<0>(at, 0), rows * columns));
                    else
                        for (int64_t r = 0; r < rows; r++)
                            sum = Op::combine(sum, reduce_long<Op, Acc, Total>(e.template kernel<0>(at, r), columns));
                });
            totals[piece] = sum;
        }
    });
    for (int64_t p = 0; done && p < pieces; p++)
        total = Op::combine(total, totals[p]);
    return total;
}

/* Along the columns of a matrix: `groups` x `rows` x `columns`, the middle dimension combined. Strides in elements, as everywhere. */
template <class Op, class Acc, class Total> struct ColumnSums {
    static constexpr int64_t block = 512, wide = 1024, together = 128;
    Acc sums[block];
    Total totals[block];
    int64_t pending = 0;
    void begin(int64_t columns) {
        for (int64_t j = 0; j < columns; j++)
            totals[j] = Op::template identity<Total>();
        clear(columns);
    }
    void clear(int64_t columns) {
        for (int64_t j = 0; j < columns; j++)
            sums[j] = Op::template identity<Acc>();
        pending = 0;
    }
    void flush(int64_t columns) {
        for (int64_t j = 0; j < columns; j++)
            totals[j] = Op::combine(totals[j], static_cast<Total>(sums[j]));
        clear(columns);
    }
    template <class Kernel> void add(const Kernel kernel, int64_t columns) {
        int64_t i = 0;
        for (; i + loop_block <= columns; i += loop_block)
            for (int j = 0; j < loop_block; j++)
                sums[i + j] = Op::combine(sums[i + j], static_cast<Acc>(kernel(i + j)));
        for (; i < columns; i++)
            sums[i] = Op::combine(sums[i], static_cast<Acc>(kernel(i)));
        if (++pending == together)
            flush(columns);
    }
};

} // namespace detail
} // namespace tenon

#endif
