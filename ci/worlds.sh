# Sourced by the programs beside it: random worlds for "meshbed mesh run", each drawn from its seed.
# shellcheck shell=bash

# The words after "mesh run" of a seed's world: shape, size, traffic and faults.
world_of_seed() {
    local seed=$1 size shape
    local shapes=(line ring star grid dense random city) kinds=(flood direct chat adverts)
    shape=${shapes[seed % 7]}
    size=$((4 + seed * 13 % 23))
    case $shape in
        grid | dense) size=$((2 + seed % 4))x$((2 + seed / 7 % 5)) ;;
    esac
    echo "$shape:$size --for 60s --faults $((seed % 6))" \
        "--traffic ${kinds[seed % 4]}:$((5 + seed % 17))s,${kinds[seed / 4 % 4]}:$((7 + seed % 11))s"
}
