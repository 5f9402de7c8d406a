/* module.c - tenon._core: what it contains, in which order it is made, and who may import it.
 *
 * The types and the operators are made once for the process and belong to the main interpreter; another interpreter is refused
 * with a sentence, because objects of one interpreter must not be seen by another.
 */
#include "core.h"

#include <math.h>

static int module_refuse_others(void) {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0)
        return 0;
    PyErr_SetString(PyExc_ImportError, "tenon can be used only by the main interpreter of a process, not by a subinterpreter");
    return -1;
}

/* The library may be one that the program had loaded before: it must be the one this file was written for. */
static int module_refuse_other_versions(void) {
    if (tn_version_number() == TN_VERSION_MAJOR * 1000000 + TN_VERSION_MINOR * 1000 + TN_VERSION_PATCH)
        return 0;
    PyErr_Format(PyExc_ImportError, "tenon " TN_VERSION " cannot work with the libtenon %s that this process has loaded",
                 tn_version());
    return -1;
}

static int module_add_numbers(PyObject *module) {
    static const struct module_number {
        const char *name;
        double value;
    } numbers[] = {{"inf", HUGE_VAL}, {"nan", NAN}, {"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        PyObject *number = PyFloat_FromDouble(numbers[i].value);
        if (!number || PyModule_AddObject(module, numbers[i].name, number) < 0) {
            Py_XDECREF(number);
            return -1;
        }
    }
    return PyModule_AddObjectRef(module, "newaxis", Py_None);
}

static int module_fill(PyObject *module) {
    if (module_refuse_others() < 0 || module_refuse_other_versions() < 0 || tnpy_errors_add(module) < 0 ||
        tnpy_objects_add(module) < 0 || tnpy_size_add(module) < 0 || tnpy_storage_add(module) < 0 ||
        tnpy_generator_add(module) < 0 || tnpy_prepack_add(module) < 0 || tnpy_files_add(module) < 0 ||
        tnpy_autograd_add(module) < 0 || tnpy_operators_read() < 0 || tnpy_tensor_add(module) < 0 ||
        tnpy_operators_add(module) < 0 || tnpy_library_add(module) < 0 || tnpy_train_add(module) < 0 ||
        PyModule_AddFunctions(module, tnpy_autocast_functions) < 0 || PyModule_AddFunctions(module, tnpy_share_functions) < 0 ||
        PyModule_AddFunctions(module, tnpy_make_functions) < 0 || PyModule_AddFunctions(module, tnpy_settings_functions) < 0 ||
        PyModule_AddFunctions(module, tnpy_device_functions) < 0 || PyModule_AddFunctions(module, tnpy_dlpack_functions) < 0 ||
        PyModule_AddFunctions(module, tnpy_legacy_functions) < 0 || PyModule_AddFunctions(module, tnpy_copies_functions) < 0 ||
        module_add_numbers(module) < 0 || PyModule_AddIntConstant(module, "_max_dims", TN_MAX_DIMS) < 0)
        return -1;
    tnpy_warnings_listen(true);
    tnpy_interrupt_watch();
    return PyModule_AddStringConstant(module, "__version__", tn_version());
}

/* Thousands of objects are made, and none of them is garbage: the collector would look at them again and again. */
static int module_exec(PyObject *module) {
    int collects = PyGC_Disable();
    int code = module_fill(module);
    if (collects)
        (void)PyGC_Enable();
    return code;
}

static PyModuleDef_Slot module_slots[] = {TNPY_SLOT(Py_mod_exec, module_exec), {0, NULL}};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    "tenon._core",
    "The Tenon library for Python: see the package tenon.",
    0,
    NULL,
    module_slots,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&module_definition); }
