/* tenon/cpp/evaluate.hpp - what happens when an expression is assigned or reduced: the operands are lined up (loop.hpp has the loops),
 * and the memory of the result is looked at first.
 */
#ifndef TENON_CPP_EVALUATE_HPP
#define TENON_CPP_EVALUATE_HPP

#include <tenon/cpp/tensor.hpp>

namespace tenon {
namespace detail {

template <class E> constexpr int plan_room(int rank = 0) {
    return room_of(E::Rank) > room_of(rank) ? room_of(E::Rank) : room_of(rank);
}

/* The strides of every operand along the dimensions of a shape. */
template <int Room, class E> void line_up(Plan<Room, E::leaves> &plan, const E &e, int rank, const int64_t *sizes) {
    plan.rank = rank;
    for (int d = 0; d < rank; d++)
        plan.sizes[d] = sizes[d];
    int l = 0;
    e.each([&](const auto &operand) {
        using T = std::decay_t<decltype(operand)>;
        if constexpr (is_leaf<T>::value) {
            Lined<Room> &x = plan.leaf[l++];
            x.base = reinterpret_cast<const char *>(operand.origin());
            x.itemsize = sizeof(typename T::value_type);
            Dims own = operand.shape(), strides = operand.strides();
            int missing = rank - static_cast<int>(own.size());
            for (int d = 0; d < rank; d++)
                x.strides[d] = d < missing || own[d - missing] == 1 ? 0 : strides[d - missing];
        }
    });
}

template <int Room> struct ByteRange {
    const char *low, *high;
    ByteRange(const char *base, int64_t itemsize, int rank, const int64_t *sizes, const int64_t *strides)
        : low(base), high(base + itemsize) {
        for (int d = 0; d < rank; d++)
            (strides[d] < 0 ? low : high) += (sizes[d] - 1) * strides[d] * itemsize;
    }
};

/* Whether writing the result could change an operand's elements before they are read. */
template <int Room, int Leaves> bool disturbs(const Plan<Room, Leaves> &plan) {
    ByteRange<Room> out(plan.out.base, plan.out.itemsize, plan.rank, plan.sizes, plan.out.strides);
    for (int l = 0; l < Leaves; l++) {
        const Lined<Room> &x = plan.leaf[l];
        ByteRange<Room> in(x.base, x.itemsize, plan.rank, plan.sizes, x.strides);
        if (in.high <= out.low || out.high <= in.low)
            continue;
        bool same = x.base == plan.out.base && x.itemsize == plan.out.itemsize;
        for (int d = 0; same && d < plan.rank; d++)
            same = x.strides[d] == plan.out.strides[d];
        if (!same)
            return true;
    }
    return false;
}

/* Whether every operand is contiguous and either of these sizes or one row of them, which every row of the result then meets; where
 * they are, and how far apart their rows. None overlaps the result. */
template <class E, class Extents, class Out, class Rows>
bool all_are_rows(const E &e, const Extents &extents, const Out *out, Rows &rows) {
    int64_t columns = extents.sizes()[extents.rank() - 1], count = extents.numel();
    const char *low = reinterpret_cast<const char *>(out), *high = low + count * static_cast<int64_t>(sizeof(Out));
    bool fine = true;
    int l = 0;
    e.each([&](const auto &operand) {
        if constexpr (is_leaf<std::decay_t<decltype(operand)>>::value) {
            int64_t own = operand.numel();
            bool row = own == columns && operand.dim() > 0 && operand.size(-1) == columns;
            fine = fine && operand.is_contiguous() && (row || same_sizes(operand.extents(), extents));
            const char *from = reinterpret_cast<const char *>(operand.origin());
            fine = fine && (from >= high || from + own * static_cast<int64_t>(sizeof *operand.origin()) <= low);
            rows.at[l] = from;
            rows.pitch[l] = own == columns ? 0 : columns;
            l++;
        }
    });
    return fine;
}

/* One row of `count` elements, too many for one thread: all operands contiguous. `apart`: the result is no operand. */
template <class Out, class E> TENON_NOINLINE void store_many(Out *out, const E &e, int64_t count, bool apart) {
    bool streamed = apart && is_streamed(count * (static_cast<int64_t>(sizeof(Out)) + int64_t{E::leaves} * E::widest));
    parallel(count, grain_of<E>(), [&](int64_t begin, int64_t end) {
        streamed ? stream_row(out + begin, e.direct(begin), end - begin) : store_row(out + begin, e.direct(begin), end - begin);
    });
}

} // namespace detail

template <class Scalar, class Device, int Rank_> template <class E> void Tensor<Scalar, Device, Rank_>::store(const E &e) {
    int rank = static_cast<int>(this->dim());
    const int64_t *sizes = extents_.sizes(), *strides = extents_.strides();
    detail::Shape<E> shape(e);
    bool fits = shape.fits && shape.rank <= rank && static_cast<bool>(storage_);
    for (int d = 0; fits && d < shape.rank; d++)
        fits = shape.sizes[d] == 1 || shape.sizes[d] == sizes[rank - shape.rank + d];
    if (!fits) {
        if constexpr (in_core<value_type> && E::core)
            dynamic().copy_(e.dynamic()); /* which cannot be done, and says why */
        else
            tn_error_raise(TN_ERROR_SHAPE, "assign", "the expression does not fit the tensor's shape %s",
                           detail::shape_text(this->shape()).c_str());
        detail::fail();
        return;
    }
    /* Others who share the memory can have it in a record of gradients: the write is counted. */
    if (!storage_.unique()) {
        if constexpr (in_core<value_type>) {
            AnyTensor counted = dynamic();
            if (!counted || (!tn_mutable_data(counted.get()) && this->numel() != 0)) {
                detail::fail();
                return;
            }
        }
    }
    if (E::leaves > 0 && this->is_contiguous() && detail::all_lie_like(e, extents_)) {
        bool apart = true, itself = false; /* or exactly the same elements */
        int64_t bytes = this->numel() * static_cast<int64_t>(sizeof(value_type));
        const char *low = reinterpret_cast<const char *>(origin_), *high = low + bytes;
        e.each([&](const auto &operand) {
            if constexpr (detail::is_leaf<std::decay_t<decltype(operand)>>::value) {
                const char *other = reinterpret_cast<const char *>(operand.origin());
                int64_t other_bytes = this->numel() * static_cast<int64_t>(sizeof *operand.origin());
                bool same = other == low && other_bytes == bytes;
                itself = itself || same;
                apart = apart && (other >= high || other + other_bytes <= low || same);
            }
        });
        if (apart) {
            detail::store_contiguous(origin_, e, this->numel(), !itself);
            return;
        }
    }
    if (detail::TileRows<E::leaves> rows{}; E::leaves > 0 && rank >= 2 && this->is_contiguous() &&
                                            this->numel() <= detail::grain_of<E>() &&
                                            detail::all_are_rows(e, extents_, origin_, rows)) {
        int64_t columns = sizes[rank - 1];
        if (columns >= detail::least_row) {
            detail::store_rows(origin_, columns, e, rows, this->numel() / columns, columns);
            return;
        }
    }
    constexpr int room = detail::plan_room<E>(Rank_);
    detail::Plan<room, E::leaves> plan;
    detail::line_up(plan, e, rank, sizes);
    plan.out.base = reinterpret_cast<const char *>(origin_);
    plan.out.itemsize = sizeof(value_type);
    for (int d = 0; d < rank; d++)
        plan.out.strides[d] = sizes[d] == 1 ? 0 : strides[d];
    if (this->numel() == 0)
        return;
    if (detail::disturbs(plan)) {
        Tensor<value_type, Device, Dynamic> aside(Dims(sizes, rank));
        if (aside.storage()) {
            aside.store(e);
            store(typename Tensor<value_type, Device, Dynamic>::Const(aside));
        }
        return;
    }
    detail::simplify(plan, true);
    detail::store_planned(origin_, e, plan);
}

namespace detail {

template <class Op, class E> struct reduced_types {
    using C = typename E::value_type;
    using given = typename Op::template given<C>;
    using accumulate = typename Op::template accumulate<C>;
    using total = typename Op::template total<C>;
    using result = Reduced<given, typename E::Kind>;
    template <class S> using device = typename device_of_kind<typename E::Kind>::template type<S>;
    using tensor = Tensor<given, device<given>, Dynamic>;
    static constexpr bool addressable = device<given>::addressable;
};

/* Whether the library has to do it: recorded, on a device, or wrong, to say so in its words. */
template <class Types, class E> bool by_library(const E &e, const Shape<E> &shape, bool empty_is_wrong) {
    if (!Types::addressable || !shape.fits || is_recorded(e))
        return true;
    bool empty = false;
    for (int d = 0; d < shape.rank; d++)
        empty = empty || shape.sizes[d] == 0;
    return empty && empty_is_wrong;
}

template <class Total, class Op, class Acc, class E> Total total_of(const E &e, const Shape<E> &shape) {
    constexpr int room = plan_room<E>();
    Plan<room, E::leaves> plan;
    line_up(plan, e, shape.rank, shape.sizes);
    plan.out.base = nullptr;
    plan.out.itemsize = 0;
    for (int d = 0; d < shape.rank; d++) /* the order of the first operand's memory */
        plan.out.strides[d] = E::leaves ? plan.leaf[0].strides[d] : 0;
    simplify(plan, true);
    return reduce_planned<Op, Acc, Total>(e, plan);
}

/* Whether all operands are contiguous, of one shape, and few enough for one thread: how many, else -1. */
template <class Types, class E> int64_t few_in_step(const E &e) {
    if constexpr (Types::addressable) {
        int64_t count = count_in_step(e);
        return count > 0 && count <= grain_of<E>() ? count : -1;
    } else
        return -1;
}

template <class Op, class E> auto reduce_all(const E &e) {
    using Types = reduced_types<Op, E>;
    using Result = typename Types::result;
    constexpr bool ordered = std::is_same<Op, MaxOf>::value || std::is_same<Op, MinOf>::value;
    static_assert(!ordered || !is_complex_scalar<typename E::value_type>,
                  "max and min do not support complex numbers: they have no order");
    using Acc = typename Types::accumulate;
    using Total = typename Types::total;
    if (int64_t few = few_in_step<Types>(e); few > 0)
        return Result(convert<typename Types::given>(reduce_long<Op, Acc, Total>(e.direct(0), few)));
    Shape<E> shape(e);
    if constexpr (E::core)
        if (by_library<Types>(e, shape, ordered))
            return Result(Op::call(e.dynamic()));
    return Result(convert<typename Types::given>(total_of<Total, Op, Acc>(e, shape)));
}

/* How many elements a mean is of, as the sum is divided by it. */
template <class Total> Total count_as(int64_t count) {
    if constexpr (is_complex_scalar<Total>)
        return Total(static_cast<typename Total::value_type>(count));
    else
        return static_cast<Total>(static_cast<double>(count));
}

template <class E> auto mean_all(const E &e) {
    using Types = reduced_types<SumOf, E>;
    using C = typename E::value_type;
    static_assert(!in_core<C> || !dtype_is_integral(dtype_of<C>),
                  "mean does not support integers and bool: convert them with .to<float>()");
    using Result = Reduced<C, typename E::Kind>;
    using Total = typename Types::total;
    if (int64_t few = few_in_step<Types>(e); few > 0) {
        Total sum = reduce_long<SumOf, typename Types::accumulate, Total>(e.direct(0), few);
        return Result(convert<C>(static_cast<Total>(sum / count_as<Total>(few))));
    }
    Shape<E> shape(e);
    if constexpr (E::core)
        if (by_library<Types>(e, shape, false))
            return Result(e.dynamic().mean());
    Total total = total_of<Total, SumOf, typename Types::accumulate>(e, shape);
    int64_t count = 1;
    for (int d = 0; d < shape.rank; d++)
        count *= shape.sizes[d];
    return Result(convert<C>(static_cast<Total>(total / count_as<Total>(count))));
}

/* Operands that are contiguous and of one shape, as `rows` x `columns`: the total of each row, and of each column. */
template <class Op, class Acc, class Total, class E, class Out, class Finish>
TENON_NOINLINE void reduce_rows(Out *out, const E &e, int64_t begin, int64_t end, int64_t columns, const Finish finish) {
    auto kernel = e.direct(0);
    if (columns <= run_elements)
        for (int64_t r = begin; r < end; r++)
            out[r] = finish(static_cast<Total>(reduce_run<Op, Acc>(kernel, r * columns, columns)));
    else
        for (int64_t r = begin; r < end; r++)
            out[r] = finish(reduce_long<Op, Acc, Total>(e.direct(r * columns), columns));
}

#if TENON_PACKETS
/* The columns from `begin` to `end`, at most a block of them. Sums go to a wider total after `together` rows. */
template <class Op, class Acc, class Total, class E, class Out, class Finish>
TENON_NOINLINE void reduce_columns(Out *out, const E &e, int64_t rows, int64_t columns, int64_t begin, int64_t end,
                                   const Finish finish) {
    constexpr int lanes = Packet<Acc>::lanes;
    using Sums = ColumnSums<Op, Acc, Total>;
    constexpr bool wider = !std::is_same<Acc, Total>::value;
    auto kernel = e.direct(0);
    const packet_t<Acc> identity = packet_of<Acc>(Op::template identity<Acc>());
    int64_t count = end - begin, packets = count / lanes, rest = count % lanes;
    /* What does not fill a packet is computed in one that ends with the block, where the block has as many columns. */
    int64_t slots = packets + (rest > 0), shift = packets > 0 && rest > 0 ? lanes - rest : 0;
    alignas(64) Acc sums[Sums::wide + lanes];
    Total totals[wider ? Sums::wide + lanes : 1];
    auto first = [&](int64_t slot) { return begin + slot * lanes - (slot == packets ? shift : 0); };
    auto load = [&](int64_t row, int64_t slot) TENON_LAMBDA_INLINE {
        return packets > 0 ? kernel.template packet<Acc>(row * columns + first(slot))
                           : kernel.template packet_part<Acc>(row * columns + first(slot), rest);
    };
    for (int64_t j = 0; wider && j < slots * lanes; j++)
        totals[j] = Op::template identity<Total>();
    for (int64_t from = 0; from < rows; from += Sums::together) {
        int64_t to = rows - from < Sums::together || !wider ? rows : from + Sums::together;
        for (int64_t s = 0; s < slots; s++)
            packet_store<Acc>(sums + s * lanes, identity);
        int64_t r = from;
        for (; r + 8 <= to; r += 8)
            for (int64_t s = 0; s < slots; s++) {
                packet_t<Acc> a = Op::lanes(load(r, s), load(r + 1, s)), b = Op::lanes(load(r + 2, s), load(r + 3, s)),
                              c = Op::lanes(load(r + 4, s), load(r + 5, s)), d = Op::lanes(load(r + 6, s), load(r + 7, s));
                packet_t<Acc> all = Op::lanes(Op::lanes(a, b), Op::lanes(c, d));
                packet_store<Acc>(sums + s * lanes, Op::lanes(packet_load<Acc>(sums + s * lanes), all));
            }
        for (; r < to; r++)
            for (int64_t s = 0; s < slots; s++)
                packet_store<Acc>(sums + s * lanes, Op::lanes(packet_load<Acc>(sums + s * lanes), load(r, s)));
        if constexpr (wider)
            for (int64_t j = 0; j < slots * lanes; j++)
                totals[j] = Op::combine(totals[j], static_cast<Total>(sums[j]));
        else
            break;
    }
    auto total = [&](int64_t j) {
        if constexpr (wider)
            return totals[j];
        else
            return sums[j];
    };
    for (int64_t j = 0; j < packets * lanes; j++)
        out[begin + j] = finish(total(j));
    for (int64_t j = 0; j < rest; j++)
        out[begin + packets * lanes + j] = finish(total(packets * lanes + shift + j));
}
#endif

/* Where dimensions of contiguous operands of one shape are combined, and these are the last ones or the first ones: true when done. */
template <class Op, class Acc, class Total, class E, class Out, class Finish>
bool reduce_in_step(Out *out, const E &e, const Shape<E> &shape, const bool *reduced, const Finish &finish) {
    if (count_in_step(e) <= 0)
        return false;
    int edge = 0;
    while (edge < shape.rank && reduced[edge] == reduced[0])
        edge++;
    int64_t before = 1, after = 1;
    for (int d = 0; d < shape.rank; d++) {
        if (d >= edge && reduced[d] == reduced[0])
            return false;
        (d < edge ? before : after) *= shape.sizes[d];
    }
    if (shape.rank == 0 || edge == shape.rank)
        return false;
    if (!reduced[0]) {
        int64_t grain = grain_of<E>() / (after + 1);
        parallel(before, grain > 1 ? grain : 1,
                 [&](int64_t begin, int64_t end) { reduce_rows<Op, Acc, Total>(out, e, begin, end, after, finish); });
        return true;
    }
#if TENON_PACKETS
    if constexpr (decltype(e.direct(0))::template packs<Acc>) {
        constexpr int64_t block = ColumnSums<Op, Acc, Total>::wide;
        int64_t blocks = (after + block - 1) / block, grain = grain_of<E>() / (before * block + 1);
        parallel(blocks, grain > 1 ? grain : 1, [&](int64_t begin, int64_t end) {
            for (int64_t b = begin; b < end; b++)
                reduce_columns<Op, Acc, Total>(out, e, before, after, b * block, b + 1 < blocks ? (b + 1) * block : after,
                                               finish);
        });
        return true;
    }
#endif
    return false;
}

/* Along dimensions. `finish` is given each total and makes the element of the result. */
template <class Op, class Acc, class Total, class E, class Out, class Finish>
bool reduce_into(Out *out, const E &e, const Shape<E> &shape, const bool *reduced, const Finish &finish) {
    if (reduce_in_step<Op, Acc, Total>(out, e, shape, reduced, finish))
        return true;
    constexpr int room = plan_room<E>();
    Plan<room, E::leaves> all, kept, gone;
    line_up(all, e, shape.rank, shape.sizes);
    all.out = Lined<room>{nullptr, 0, {}};
    auto share = [&](Plan<room, E::leaves> &part, bool which) {
        part.rank = 0;
        part.out = all.out;
        for (int l = 0; l < E::leaves; l++) { /* also where no dimension is */
            part.leaf[l].base = all.leaf[l].base;
            part.leaf[l].itemsize = all.leaf[l].itemsize;
        }
        for (int d = 0; d < all.rank; d++)
            if (reduced[d] == which) {
                part.sizes[part.rank] = all.sizes[d];
                for (int l = 0; l < E::leaves; l++)
                    part.leaf[l].strides[part.rank] = all.leaf[l].strides[d];
                part.rank++;
            }
    };
    share(kept, false);
    share(gone, true);
    int64_t outputs = 1;
    for (int d = 0, step = 0; d < kept.rank; d++, step++)
        outputs *= kept.sizes[d];
    /* The result's own strides keep its dimensions in order; of what is gone, the first operand's. */
    int64_t step = 1;
    for (int d = kept.rank - 1; d >= 0; d--) {
        kept.out.strides[d] = step;
        step *= kept.sizes[d];
    }
    for (int d = 0; d < gone.rank; d++)
        gone.out.strides[d] = E::leaves ? gone.leaf[0].strides[d] : 0;
    simplify(kept, false);
    simplify(gone, true);
    int64_t each = 1;
    for (int d = 0; d < gone.rank; d++)
        each *= gone.sizes[d];
    if (outputs == 0)
        return true;
    auto offsets_of = [](const Plan<room, E::leaves> &plan, int dims, int64_t index, int64_t *offsets) {
        for (int d = dims - 1; d >= 0; d--) {
            int64_t i = index % plan.sizes[d];
            index /= plan.sizes[d];
            for (int l = 0; l < E::leaves; l++)
                offsets[l] += i * plan.leaf[l].strides[d];
        }
    };
    bool columns_are_kept = false;
    for (int l = 0; l < E::leaves; l++)
        if (kept.rank > 0 && kept.leaf[l].strides[kept.rank - 1] == 1 && kept.sizes[kept.rank - 1] >= 8)
            columns_are_kept = true;
    for (int l = 0; l < E::leaves; l++)
        if (gone.rank > 0 && gone.leaf[l].strides[gone.rank - 1] == 1)
            columns_are_kept = false;
    if (columns_are_kept) { /* rows are combined element by element */
        using Sums = ColumnSums<Op, Acc, Total>;
        int64_t columns = kept.sizes[kept.rank - 1], blocks = (columns + Sums::block - 1) / Sums::block;
        int64_t groups = outputs / columns,
                grain = grain_of<E>() / (each * (columns < Sums::block ? columns : Sums::block) + 1);
        return parallel(groups * blocks, grain > 1 ? grain : 1, [&](int64_t begin, int64_t end) {
            TileBlocks<E> packed;
            Sums sums;
            for (int64_t unit = begin; unit < end; unit++) {
                int64_t group = unit / blocks, column = unit % blocks * Sums::block;
                int64_t count = columns - column < Sums::block ? columns - column : Sums::block;
                int64_t first[E::leaves > 0 ? E::leaves : 1] = {};
                offsets_of(kept, kept.rank - 1, group, first);
                for (int l = 0; l < E::leaves; l++)
                    first[l] += column * kept.leaf[l].strides[kept.rank - 1];
                sums.begin(count);
                Plan<room, E::leaves> row; /* one row of the block */
                row.rank = 1;
                row.sizes[0] = count;
                for (int l = 0; l < E::leaves; l++) {
                    row.leaf[l].base = kept.leaf[l].base;
                    row.leaf[l].strides[0] = kept.leaf[l].strides[kept.rank - 1];
                }
                for (int64_t i = 0; i < each; i++) {
                    int64_t starts[E::leaves > 0 ? E::leaves : 1] = {};
                    for (int l = 0; l < E::leaves; l++)
                        starts[l] = first[l];
                    if (gone.rank == 1)
                        for (int l = 0; l < E::leaves; l++)
                            starts[l] += i * gone.leaf[l].strides[0];
                    else
                        offsets_of(gone, gone.rank, i, starts);
                    TileRows<E::leaves> at{};
                    TileReader<E, room> reader{row, packed, at, starts, 1, count, false};
                    E::each_type(reader);
                    sums.add(e.template kernel<0>(at, 0), count);
                }
                sums.flush(count);
                for (int64_t j = 0; j < count; j++)
                    out[group * columns + column + j] = finish(sums.totals[j]);
            }
        });
    }
    bool simple = gone.rank == 1;
    for (int l = 0; l < E::leaves; l++)
        simple = simple && gone.leaf[l].strides[0] == 1;
    int64_t grain = grain_of<E>() / (each + 1);
    return parallel(outputs, grain > 1 ? grain : 1, [&](int64_t begin, int64_t end) {
        TileBlocks<E> packed;
        Cut cut = cut_of(gone);
        int64_t tiles = cut.outer * cut.row_tiles * cut.column_tiles;
        Plan<room, E::leaves> here = gone;
        for (int64_t o = begin; o < end; o++) {
            if (each == 0) { /* of nothing; there may not even be an address */
                out[o] = finish(Op::template identity<Total>());
                continue;
            }
            int64_t starts[E::leaves > 0 ? E::leaves : 1] = {};
            offsets_of(kept, kept.rank, o, starts);
            if (simple) { /* one contiguous run */
                TileRows<E::leaves> at{};
                TileReader<E, room> reader{gone, packed, at, starts, 1, each, false};
                E::each_type(reader);
                out[o] = finish(reduce_long<Op, Acc, Total>(e.template kernel<0>(at, 0), each));
                continue;
            }
            for (int l = 0; l < E::leaves; l++)
                here.leaf[l].base = gone.leaf[l].base + starts[l] * gone.leaf[l].itemsize;
            Total total = Op::template identity<Total>();
            for (int64_t t = 0; t < tiles; t++)
                do_tile(e, here, cut, t, packed, [&](const TileRows<E::leaves> &at, int64_t, int64_t rows, int64_t columns) {
                    if (cut.flat)
                        total = Op::combine(total, reduce_long<Op, Acc, Total>(e.template kernel<0>(at, 0), rows * columns));
                    else
                        for (int64_t r = 0; r < rows; r++)
                            total = Op::combine(total, reduce_long<Op, Acc, Total>(e.template kernel<0>(at, r), columns));
                });
            out[o] = finish(total);
        }
    });
}

/* Marks the dimensions; false where one is out of range or named twice. No dimensions at all means all of them. */
template <class E> bool mark_dims(const Shape<E> &shape, Dims dims, bool *reduced) {
    for (int d = 0; d < shape.rank; d++)
        reduced[d] = dims.size() == 0;
    for (int64_t k : dims) {
        int64_t d = k < 0 ? k + shape.rank : k;
        if (d < 0 || d >= shape.rank || reduced[d])
            return false;
        reduced[d] = true;
    }
    return true;
}

/* A tensor of the sizes that are left, filled by reduce_into. */
template <class Result, class Op, class Acc, class Total, class E, class Finish>
Result reduced_tensor(const E &e, const Shape<E> &shape, const bool *reduced, bool keepdim, Finish &&finish) {
    int64_t sizes[Shape<E>::room];
    int rank = 0;
    for (int d = 0; d < shape.rank; d++)
        if (!reduced[d])
            sizes[rank++] = shape.sizes[d];
        else if (keepdim)
            sizes[rank++] = 1;
    Result result(Dims(sizes, rank));
    if (result)
        reduce_into<Op, Acc, Total>(result.data(), e, shape, reduced, finish);
    return result;
}

template <class Op, class E> auto reduce_dims(const E &e, Dims dims, bool keepdim) {
    using Types = reduced_types<Op, E>;
    using Result = typename Types::tensor;
    constexpr bool ordered = std::is_same<Op, MaxOf>::value || std::is_same<Op, MinOf>::value;
    static_assert(!ordered || !is_complex_scalar<typename E::value_type>,
                  "max and min do not support complex numbers: they have no order");
    Shape<E> shape(e);
    bool reduced[Shape<E>::room];
    bool marked = shape.fits && mark_dims(shape, dims, reduced);
    if constexpr (E::core) {
        if (!marked || by_library<Types>(e, shape, ordered))
            return Result(Op::call(e.dynamic(), dims, keepdim));
    } else if (!marked) {
        tn_error_raise(TN_ERROR_INDEX, Op::name, "a dimension is out of range or named twice");
        fail();
        return Result();
    }
    using Given = typename Types::given;
    return reduced_tensor<Result, Op, typename Types::accumulate, typename Types::total>(
        e, shape, reduced, keepdim, [](typename Types::total total) { return convert<Given>(total); });
}

template <class E> auto mean_dims(const E &e, Dims dims, bool keepdim) {
    using Types = reduced_types<SumOf, E>;
    using C = typename E::value_type;
    static_assert(!in_core<C> || !dtype_is_integral(dtype_of<C>),
                  "mean does not support integers and bool: convert them with .to<float>()");
    using Result = Tensor<C, typename Types::template device<C>, Dynamic>;
    Shape<E> shape(e);
    bool reduced[Shape<E>::room];
    bool marked = shape.fits && mark_dims(shape, dims, reduced);
    if constexpr (E::core)
        if (!marked || by_library<Types>(e, shape, false))
            return Result(e.dynamic().mean(dims, keepdim));
    using Total = typename Types::total;
    int64_t count = 1;
    for (int d = 0; marked && d < shape.rank; d++)
        count *= reduced[d] ? shape.sizes[d] : 1;
    Total divisor = count_as<Total>(count);
    return reduced_tensor<Result, SumOf, typename Types::accumulate, Total>(
        e, shape, reduced, keepdim, [divisor](Total total) { return convert<C>(static_cast<Total>(total / divisor)); });
}

} // namespace detail
} // namespace tenon

#endif
