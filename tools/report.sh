# report.sh - how tools/test, tools/check and tools/sanitize report what they do. To be sourced.
#
# A stage is a command with a name. Its output is shown, indented, as it comes. If it prints "N passed, N failed" those are
# its counts, and the line is shown with the stage's name, so that only the very last line of a whole run is that line alone.
# A stage that prints none counts as one, by its exit status. Nothing that goes wrong can end as "0 failed". At the end, stages
# that failed are named again with what they said of failures and their last lines: of a long run often only the end is kept.
#
# begin and conclude are a stage in two halves: it runs beside what stands between them, and its output is shown when it is over.

passed=0
failed=0
skipped=0
failures=
started=$(date +%s)
logs=$BUILD/logs
mkdir -p "$logs"

# The build that most of it is done with: made once, by whoever comes first.
with_gcc=gcc
command -v gcc >/dev/null 2>&1 || tools/install-packages gcc libc6-dev || with_gcc=cc
usual=$BUILD/test-gcc
usual_flags="-O2 -g -Werror"
make_usual() {
    $MAKE BUILD="$usual" CC=$with_gcc HOSTCC=$with_gcc CFLAGS="$usual_flags" "$@"
}

section() {
    printf '\n== %s  [%d s]\n' "$*" $(($(date +%s) - started))
}

# name_stage NAME: sets stage_name, and stage_log, where its output and, when it is over, its status are.
name_stage() {
    stage_name=$1
    stage_log=$logs/$(echo "$stage_name" | tr -c 'A-Za-z0-9\n' '-')
}

show_stage() {
    awk -v name="$stage_name" -v log_file="$1" '
        log_file { print > log_file }
        /Sanitizer failed to allocate/ { next } # what the tests of absurd sizes are about; malloc says so and returns NULL
        /^[0-9]+ passed, [0-9]+ failed/ { print "  " name ": " $0; fflush(); next }
        { print "  " $0; fflush() }'
}

stage() {
    name_stage "$1"
    shift
    rm -f "$stage_log.status"
    : >"$stage_log"
    { "$@" 2>&1; echo $? >"$stage_log.status"; } | show_stage "$stage_log"
    count_stage
}

begin() {
    name_stage "$1"
    shift
    rm -f "$stage_log.status"
    : >"$stage_log"
    { "$@" >"$stage_log" 2>&1; echo $? >"$stage_log.status"; } &
    stage_process=$!
}

# conclude NAME [PROCESS]: of a stage that begin began, or that a process of somebody else's ran.
conclude() {
    name_stage "$1"
    [ -z "${2:-}" ] || wait "$2"
    show_stage "" <"$stage_log"
    count_stage
}

count_stage() {
    stage_status=$(cat "$stage_log.status" 2>/dev/null || echo 1)
    stage_counts=$(sed -n 's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed\(, \([0-9][0-9]*\) skipped\)\{0,1\}$/\1 \2 0\4/p' "$stage_log" 2>/dev/null | tail -n 1)
    if [ -n "$stage_counts" ]; then
        set -- $stage_counts
        passed=$((passed + $1))
        failed=$((failed + $2))
        skipped=$((skipped + ${3#0} + 0))
        if [ "$stage_status" -ne 0 ] && [ "$2" -eq 0 ]; then
            failed=$((failed + 1))
            echo "  $stage_name: FAILED, it ended with status $stage_status"
        fi
    elif [ "$stage_status" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "  $stage_name: FAILED with status $stage_status"
    fi
    [ "$stage_status" -eq 0 ] || failures="$failures$stage_log|$stage_name
"
    [ "$stage_status" -eq 0 ]
}

# A step that is not a test, such as a build: counted only when it fails.
prepare() {
    passed_before=$passed
    stage "$@"
    prepare_status=$?
    passed=$passed_before
    return $prepare_status
}

skip() {
    skipped=$((skipped + 1))
    echo "  skipped: $*"
}

# Prints the closing line; the script's exit status says whether everything passed.
finish() {
    printf '\n(%d s)\n' $(($(date +%s) - started))
    [ "$skipped" -eq 0 ] || echo "$skipped skipped, as noted above"
    printf '%s' "$failures" | while IFS='|' read -r failed_log failed_name; do
        printf '\n%s failed; of what it printed:\n' "$failed_name"
        { grep -A 1 FAILED "$failed_log" | head -n 20; tail -n 15 "$failed_log"; } | sed 's/^/  /'
    done
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
