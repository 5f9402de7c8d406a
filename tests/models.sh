#!/bin/sh
# models.sh - tests examples/embed_sentences.c with a small model of made-up weights: wrong models, and guests of its socket who go away early.
# The published models are for `make models`.
: "${BUILD:=build}"
command -v python3 >/dev/null || {
    echo "there is no python3 to make the model with"
    echo "0 passed, 0 failed"
    exit 0
}
exec python3 tests/models/served.py "$BUILD/examples/embed_sentences"
