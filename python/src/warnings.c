/* warnings.c - warnings of the library as warnings of Python.
 *
 * The library warns in the middle of a call, perhaps while other threads have the interpreter's lock: no Python code can run
 * there. So the texts are kept, for each thread, and given to the warnings module when the call is over. Where a filter turns
 * one into an exception, the call fails then, although it has been carried out.
 *
 * Invariant: tnpy_warnings_some is set before a text waits, and stays so; until the first warning of the process it is the only
 * thing that a call looks at.
 */
#include "core.h"

enum { WARNINGS_KEPT = 4 }; /* of one call; further ones are dropped */

static _Thread_local struct warnings_waiting {
    int count;
    char texts[WARNINGS_KEPT][TN_ERROR_MESSAGE_SIZE];
} warnings_waiting;

bool tnpy_warnings_some;

/* On a thread that Python does not know nobody would see them. */
static void warnings_keep(void *ctx, const tn_warning_record *record) {
    (void)ctx;
    if (warnings_waiting.count == WARNINGS_KEPT || !PyGILState_GetThisThreadState())
        return;
    memcpy(warnings_waiting.texts[warnings_waiting.count++], record->message, sizeof record->message);
    __atomic_store_n(&tnpy_warnings_some, true, __ATOMIC_RELAXED);
}

int tnpy_warnings_tell(void) {
    if (warnings_waiting.count == 0)
        return 0;
    struct warnings_waiting waiting = warnings_waiting; /* what the warnings module runs may warn again */
    warnings_waiting.count = 0;
    int code = 0;
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    for (int i = 0; i < waiting.count && code == 0; i++) {
        PyObject *text = PyUnicode_DecodeUTF8(waiting.texts[i], (Py_ssize_t)strlen(waiting.texts[i]), "replace");
        code = text ? PyErr_WarnFormat(PyExc_UserWarning, 1, "%U", text) : -1;
        Py_XDECREF(text);
    }
    if (!kind)
        return code;
    PyErr_Clear(); /* the call has failed: only that is reported */
    PyErr_Restore(kind, value, trace);
    return -1;
}

void tnpy_warnings_listen(bool listening) { tn_warning_observe(listening ? warnings_keep : NULL, NULL); }
