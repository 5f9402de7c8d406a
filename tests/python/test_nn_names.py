"""Functions that are no rows of the table: products of groups and with scales, losses with weights of their own, names of ATen."""

import pytest
import tenon
import tenon.nn.functional as F


def test_a_product_of_groups_multiplies_rows_columns_or_k_that_offsets_cut():
    a, b = tenon.arange(12.0).reshape(4, 3), tenon.arange(24.0).reshape(2, 3, 4)
    ends = tenon.tensor([1, 3], dtype=tenon.int32)
    made = F.grouped_mm(a, b, offs=ends)
    assert made[:1].equal(a[:1] @ b[0]) and made[1:3].equal(a[1:3] @ b[1]) and made[3:].equal(tenon.zeros(1, 4))
    wide = F.grouped_mm(b.transpose(1, 2), a.T, offs=ends)
    assert wide[:, :1].equal(b[0].T @ a.T[:, :1]) and wide[:, 1:3].equal(b[1].T @ a.T[:, 1:3])
    assert F.grouped_mm(a.T, a, offs=tenon.tensor([1, 4], dtype=tenon.int32))[1].equal(a.T[:, 1:] @ a[1:])
    assert F.grouped_mm(b, b.transpose(1, 2)).equal(b @ b.transpose(1, 2))
    a.requires_grad_()
    F.grouped_mm(a, b, offs=ends).sum().backward()
    assert a.grad[3].tolist() == [0, 0, 0] and a.grad[0].equal(b[0].sum(1))
    for offs in (None, ends.long(), tenon.tensor([3, 1], dtype=tenon.int32), tenon.tensor([1, 5], dtype=tenon.int32), ends[:1]):
        with pytest.raises(RuntimeError, match="grouped_mm"):
            F.grouped_mm(a, b, offs=offs)


def test_a_scaled_product_has_a_scale_for_each_tensor_or_row_and_no_blocks():
    a, b = tenon.arange(6.0).reshape(2, 3).to(tenon.float8_e4m3fn), tenon.ones(3, 2).to(tenon.float8_e4m3fn)
    one, row = F.ScalingType.TensorWise, F.ScalingType.RowWise
    half, rows = tenon.tensor(0.5), tenon.tensor([[1.0], [2.0]])
    assert F.scaled_mm(a, b, half, one, half, one).tolist() == [[0.75, 0.75], [3, 3]]
    assert F.scaled_mm(a, b, rows, [row], rows.T, row, output_dtype=tenon.float32).tolist() == [[3, 6], [24, 48]]
    with pytest.raises(RuntimeError, match="scale_a has 2 numbers"):
        F.scaled_mm(a, b, rows, one, half, one)
    with pytest.raises(NotImplementedError, match="BlockWise1x32"):
        F.scaled_mm(a, b, rows, F.ScalingType.BlockWise1x32, half, one)
    with pytest.raises(NotImplementedError, match="scaled_grouped_mm"):
        F.scaled_grouped_mm(a, b, half, one, half, one)


def test_a_linear_cross_entropy_is_that_of_its_linear():
    loss = tenon.nn.LinearCrossEntropyLoss(3, 4, out_features=(2,), bias=True, options=tenon.nn.LinearCrossEntropyOptions())
    x, target = tenon.randn(5, 3), tenon.randint(0, 4, (5, 2))
    logits = loss.linear(x).reshape(5, 4, 2)
    assert loss(x, target).allclose(F.cross_entropy(logits, target))
    assert set(loss.state_dict()) == {"linear.weight", "linear.bias"} and "num_classes=4" in repr(loss)
    with pytest.raises(RuntimeError, match="label_smoothing is 2"):
        tenon.nn.LinearCrossEntropyLoss(3, 4, label_smoothing=2)


def test_ctc_loss_takes_more_lengths_than_a_tensor_may_have_dimensions():
    logs = tenon.randn(6, 100, 4).log_softmax(2)
    targets = tenon.randint(1, 4, (100, 2))
    made = tenon.ctc_loss(logs, targets, [6] * 100, [2] * 100)
    assert made.shape == (100,) and made.equal(F.ctc_loss(logs, targets, tenon.full((100,), 6), tenon.full((100,), 2), reduction="none"))


def test_what_a_tensor_is_has_the_names_of_aten():
    x = tenon.arange(12).reshape(3, 4)[1:].T
    assert tenon.sym_size(x, 0) == 4 and tenon.sym_size(x) == (4, 2) and tenon.sym_stride(x) == (1, 4) and tenon.sym_stride(x, 1) == 4
    assert tenon.sym_numel(x) == 8 and tenon.sym_storage_offset(x) == 4 and not tenon.sym_is_contiguous(x)
    assert tenon._local_scalar_dense(tenon.tensor(2.5)) == 2.5


def test_a_softmax_without_dim_takes_the_one_that_torch_took_and_says_so():
    for name in ("softmax", "log_softmax", "softmin"):
        function = getattr(F, name)
        for sizes, dim in (((), 0), ((3,), 0), ((2, 3), 1), ((2, 3, 4), 0), ((2, 3, 2, 2), 1)):
            x = tenon.randn(sizes)
            with pytest.warns(UserWarning, match=name):
                made = function(x)
            assert made.equal(function(x, dim)) and made.equal(function(x, dim=dim))
        assert function(tenon.ones(2), 0, dtype=tenon.float64).dtype == tenon.float64


def test_arguments_have_torchs_names():
    w = tenon.ones(4, 2)
    assert [part.shape for part in tenon.split(tensor=w, split_size_or_sections=[1, 3], dim=0)] == [(1, 2), (3, 2)]
    assert tenon.from_dlpack(ext_tensor=w).equal(w) and tenon.nn.RMSNorm(2)(x=w).equal(tenon.nn.RMSNorm(2)(w))
    one = tenon.nn.ReLU()
    net = tenon.nn.Sequential(one, one)
    assert len(list(net.modules())) == 2 and len(list(net.modules(remove_duplicate=False))) == 3
    assert tenon.nn.SyncBatchNorm(3, bias=False).bias is None


@pytest.mark.parametrize("many", [65, 1100])
def test_ctc_loss_takes_lists_of_any_length(many):
    scores = tenon.tensor([[-1.0, -2.0, -0.5]], dtype=tenon.float64).expand(2, many, 3)
    losses = F.ctc_loss(scores, tenon.tensor([[1, 2]]).expand(many, 2), [2] * many, [2] * (many - 1) + [1], reduction="none")
    assert losses.tolist()[:2] == [2.5, 2.5] and len(losses) == many
    # one class in two steps: twice, or before or after a blank
    assert tenon.allclose(losses[-1], -tenon.tensor([-4.0, -3.0, -3.0], dtype=tenon.float64).logsumexp(0))
