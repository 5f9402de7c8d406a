"""Writes the node tests of the installed package onnx as folders, for tests/onnx/nodes.py: python3 write_nodes.py TARGET"""
import os, sys, warnings

import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

warnings.filterwarnings("ignore")
target, count = sys.argv[1], 0
for case in collect_testcases(None):
    if not case.model or not case.data_sets:
        continue
    folder = os.path.join(target, case.name)
    os.makedirs(folder + "/test_data_set_0", exist_ok=True)
    with open(folder + "/model.onnx", "wb") as stream:
        stream.write(case.model.SerializeToString())
    for kind, values, infos in zip(("input", "output"), case.data_sets[0], (case.model.graph.input, case.model.graph.output)):
        for i, (value, info) in enumerate(zip(values, infos)):
            if isinstance(value, onnx.TensorProto):
                made = value
            elif info.type.HasField("tensor_type") and hasattr(value, "dtype"):
                made = numpy_helper.from_array(value, info.name)
            else:  # sequences and the like: a file that no reader takes
                made = onnx.TensorProto(data_type=onnx.TensorProto.STRING)
            with open("%s/test_data_set_0/%s_%d.pb" % (folder, kind, i), "wb") as stream:
                stream.write(made.SerializeToString())
    count += 1
print(count, "cases")
