# Sourced by the programs beside it: steps with a title, a time limit and a duration, and children that never outlive us.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

step_names=()
step_times=()

# A limited run of a command in a process group of its own: limit SECONDS COMMAND…
limit() {
    local seconds=$1
    shift
    timeout --kill-after=20 "$seconds" "$@"
}

# One step: title, then the command. Its output is shown; its duration is kept. Ends the program when it fails.
step() {
    local title=$1 start=$SECONDS status=0
    shift
    printf '== %s\n' "$title"
    "$@" || status=$?
    step_names+=("$title")
    step_times+=("$((SECONDS - start))")
    if [ "$status" -ne 0 ]; then
        if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
            printf '== %s: stopped at its time limit\n' "$title" >&2
        fi
        printf '== FAILED: %s (exit %d, %d s)\n' "$title" "$status" "$((SECONDS - start))" >&2
        exit "$status"
    fi
    printf '== %s: ok, %d s\n' "$title" "$((SECONDS - start))"
}

# The durations of all steps so far.
durations() {
    local i
    for i in "${!step_names[@]}"; do
        printf '%6d s  %s\n' "${step_times[$i]}" "${step_names[$i]}"
    done
}
