/* small_floats.c - the public, callable names of the inline conversions in small_floats.h. */
#include "tensor/small_floats.h"

float tn_float16_to_float(tn_float16 value) { return tni_float16_to_float(value); }
tn_float16 tn_float16_from_float(float value) { return tni_float16_from_float(value); }
tn_float16 tn_float16_from_double(double value) { return tni_float16_from_double(value); }

float tn_bfloat16_to_float(tn_bfloat16 value) { return tni_bfloat16_to_float(value); }
tn_bfloat16 tn_bfloat16_from_float(float value) { return tni_bfloat16_from_float(value); }
tn_bfloat16 tn_bfloat16_from_double(double value) { return tni_bfloat16_from_double(value); }

float tn_float8_e4m3fn_to_float(tn_float8_e4m3fn value) { return tni_float8_e4m3fn_to_float(value); }
tn_float8_e4m3fn tn_float8_e4m3fn_from_float(float value) { return tni_float8_e4m3fn_from_float(value); }
tn_float8_e4m3fn tn_float8_e4m3fn_from_double(double value) { return tni_float8_e4m3fn_from_double(value); }

float tn_float8_e5m2_to_float(tn_float8_e5m2 value) { return tni_float8_e5m2_to_float(value); }
tn_float8_e5m2 tn_float8_e5m2_from_float(float value) { return tni_float8_e5m2_from_float(value); }
tn_float8_e5m2 tn_float8_e5m2_from_double(double value) { return tni_float8_e5m2_from_double(value); }
