# objects.sh - sourced: `objects` are the library's object files in $BUILD. Tests that make its allocations fail need names that
# libtenon.a does not show.
objects=$(find "$BUILD/obj" -name '*.o' ! -path "$BUILD/obj/tests/*" ! -path "$BUILD/obj/command/*" ! -path "$BUILD/obj/bench/*" \
    ! -path "$BUILD/obj/generate/*" ! -path "$BUILD/obj/python/*" ! -path "$BUILD/obj/examples/*" ! -path "$BUILD/obj/tenon.o")
