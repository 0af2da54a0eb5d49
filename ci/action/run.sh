#!/bin/bash
# The job of action.yml: installs Meshbed, starts a target, runs a check, and leaves reports and logs in a folder.
# Values come as variables MESHBED_…, which action.yml sets from its inputs; GITHUB_… and RUNNER_… are the runner's.
# Exit 0: nothing was found, or it is only flagged. Exit 1: findings. Exit 2: it could not run; an annotation says why.
set -euo pipefail

output=${MESHBED_OUTPUT:-meshbed-report}
logs=$output/logs
temporary=${RUNNER_TEMP:-/tmp}/meshbed
target=""

# A value in a line for the runner, escaped as GitHub's own toolkit does it.
escaped() {
    local text=$1
    text=${text//'%'/%25}
    text=${text//$'\r'/%0D}
    printf '%s' "${text//$'\n'/%0A}"
}

fail() {
    echo "::error title=Meshbed::$(escaped "$*")"
    [ -z "${GITHUB_OUTPUT:-}" ] || echo "status=2" >>"$GITHUB_OUTPUT"
    exit 2
}

# Shows a log that others have written: no line of it may give orders to the runner.
show() {
    local word
    [ -s "$2" ] || return 0
    word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf '::group::%s\n::stop-commands::%s\n' "$1" "$word"
    tail -n "${3:-200}" "$2"
    printf '\n::%s::\n::endgroup::\n' "$word"
}

stop_target() {
    [ -n "$target" ] || return 0
    kill -TERM -- "-$target" 2>/dev/null || true
    # A target that does not end by itself ends here.
    for _ in $(seq 50); do
        kill -0 -- "-$target" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL -- "-$target" 2>/dev/null || true
    wait "$target" 2>/dev/null || true
    target=""
}

# MARK: Installing

released_name() {
    local processor
    processor=$(uname -m)
    case $MESHBED_PACKAGE in
        tarball) echo "meshbed-$1-linux-$processor.tar.gz" ;;
        deb) echo "meshbed_$1_$(dpkg --print-architecture 2>/dev/null || echo amd64).deb" ;;
        wheel) echo "meshbed-$1-py3-none-manylinux_2_35_$processor.whl" ;;
    esac
}

fetch() {
    local address=$1 file=$2 status
    command -v curl >/dev/null || fail "curl is missing on this runner"
    status=$(curl --silent --show-error --location --retry 3 --output "$file" --write-out '%{http_code}' "$address" \
        2>"$logs/fetch.txt") || fail "$address could not be fetched: $(tail -n 1 "$logs/fetch.txt")"
    case $status in
        200) ;;
        404) fail "there is no release $MESHBED_VERSION with $(basename "$file"): $address answers 404" ;;
        *) fail "$address could not be fetched: it answers $status" ;;
    esac
}

# The file to install, checked; its path is in `archive`.
get_archive() {
    local wanted=${MESHBED_DIGEST#sha256:} found version=${MESHBED_VERSION#v}
    wanted=$(tr 'A-F' 'a-f' <<<"$wanted")
    if [ -n "$MESHBED_FILE" ]; then
        [ -f "$MESHBED_FILE" ] || fail "there is no file $MESHBED_FILE"
        archive=$MESHBED_FILE
    else
        [ -n "$version" ] || fail "give a version with its digest, or a file"
        [[ $version =~ ^[0-9A-Za-z.~+-]+$ ]] || fail "'$version' is no version"
        [[ $wanted =~ ^[0-9a-f]{64}$ ]] ||
            fail "version $version needs its digest: 64 hexadecimal digits from SHA256SUMS of the release"
        archive=$temporary/$(released_name "$version")
        fetch "$MESHBED_SERVER/$MESHBED_REPOSITORY/releases/download/v$version/$(basename "$archive")" "$archive"
    fi
    [ -n "$wanted" ] || return 0
    if ! sha256sum --check --status <<<"$wanted  $archive"; then
        found=$(sha256sum <"$archive" | cut -d ' ' -f 1)
        rm -rf "${temporary:?}"
        fail "the digest of $(basename "$archive") is $found, not $wanted: nothing was installed"
    fi
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        fail "a Debian package is installed as root, which this runner does not allow; take package: tarball or wheel"
    fi
}

install_archive() {
    local scripts
    case $archive in
        *.tar.gz)
            tar -xzf "$archive" -C "$temporary" --no-same-owner >"$logs/install.txt" 2>&1 ||
                fail "$archive could not be unpacked: $(tail -n 1 "$logs/install.txt")"
            meshbed=$(find "$temporary" -type f -path '*/bin/meshbed' -perm -u+x | head -n 1)
            [ -n "$meshbed" ] || fail "$archive has no bin/meshbed"
            ;;
        *.deb)
            archive=$(realpath "$archive")
            as_root true
            # The lists of a runner may be old, and those of a container are not there.
            as_root bash -c 'export DEBIAN_FRONTEND=noninteractive
                apt-get -qq update && apt-get -qq install --no-install-recommends -y "$1"' _ "$archive" \
                >"$logs/install.txt" 2>&1 || fail "$archive could not be installed: $(tail -n 1 "$logs/install.txt")"
            meshbed=/usr/bin/meshbed
            ;;
        *.whl)
            "$MESHBED_PYTHON" -m pip install --disable-pip-version-check "$archive" >"$logs/install.txt" 2>&1 ||
                fail "$MESHBED_PYTHON could not install $archive: $(tail -n 1 "$logs/install.txt")"
            scripts=$("$MESHBED_PYTHON" -c 'import sysconfig; print(sysconfig.get_path("scripts"))')
            meshbed=$scripts/meshbed
            ;;
        *) fail "$archive is no .tar.gz, .deb or .whl" ;;
    esac
    "$meshbed" --version >"$logs/version.txt" 2>&1 ||
        fail "meshbed does not start on this runner: $(tail -n 1 "$logs/version.txt")"
    # Later steps find it, too.
    [ -z "${GITHUB_PATH:-}" ] || dirname "$meshbed" >>"$GITHUB_PATH"
    PATH=$(dirname "$meshbed"):$PATH
    echo "meshbed $(cat "$logs/version.txt")"
}

# MARK: The target

is_there() {
    case $MESHBED_WAIT_FOR in
        tcp://*)
            local place=${MESHBED_WAIT_FOR#tcp://}
            (exec 3<>"/dev/tcp/${place%:*}/${place##*:}") 2>/dev/null
            ;;
        *) [ -e "$MESHBED_WAIT_FOR" ] ;;
    esac
}

start_target() {
    local end
    [ -n "$MESHBED_START$MESHBED_WAIT_FOR" ] || return 0
    [[ $MESHBED_WAIT_SECONDS =~ ^[0-9]{1,4}$ ]] || fail "wait-seconds is a whole number, not '$MESHBED_WAIT_SECONDS'"
    if [ -n "$MESHBED_START" ]; then
        setsid bash -c "$MESHBED_START" >"$logs/target.txt" 2>&1 </dev/null &
        target=$!
    fi
    [ -n "$MESHBED_WAIT_FOR" ] || return 0
    end=$((SECONDS + MESHBED_WAIT_SECONDS))
    until is_there; do
        if [ -n "$target" ] && ! kill -0 "$target" 2>/dev/null; then
            wait "$target" && code=0 || code=$?
            target=""
            give_up "the target ended with exit status $code before it was there"
        fi
        [ $SECONDS -lt $end ] ||
            give_up "the target is not at $MESHBED_WAIT_FOR after $MESHBED_WAIT_SECONDS s"
        sleep 0.2
    done
}

give_up() {
    show "Log of the target" "$logs/target.txt"
    fail "$1; its log is $logs/target.txt, and ends: $(tail -n 3 "$logs/target.txt" 2>/dev/null)"
}

# MARK: The check

# Where the statements of the used version can be read.
statements() {
    [ -n "$MESHBED_REPOSITORY" ] && [ -n "$MESHBED_REF" ] || return 0
    printf '%s/%s/blob/%s/%s' "$MESHBED_SERVER" "$MESHBED_REPOSITORY" "$MESHBED_REF" \
        Sources/MeshCompanion/MeshCompanion.docc/CompanionStatements.md
}

# Runs a command of meshbed with all its reports; its own lines are safe to show.
judged() {
    local address
    local reports=(--summary "$output/summary.md" --badge "$output/badge.json" --annotations
        --exit-policy "$MESHBED_EXIT_POLICY" --html "$output/report.html")
    [ "$1" = study ] || reports+=(--junit "$output/junit.xml" --json "$output/report.json")
    address=$(statements)
    [ "$1" != comply ] || [ -z "$address" ] || reports+=(--statements "$address")
    "$meshbed" "$@" "${words[@]}" "${reports[@]}" 2>&1 | tee "$logs/check.txt"
}

# Reports on files of JUnit XML, which any suite can write.
reported() {
    "$MESHBED_PYTHON" "$MESHBED_ACTION/junit.py" --summary "$output/summary.md" --badge "$output/badge.json" \
        --annotations --exit-policy "$MESHBED_EXIT_POLICY" "$@"
}

tested() {
    local options=() status=0
    if "$MESHBED_PYTHON" -c 'import meshbed' 2>/dev/null; then options+=("--mesh-artifacts=$output/mesh"); fi
    "$MESHBED_PYTHON" -m pytest "${options[@]}" --junitxml "$output/junit.xml" "${words[@]}" \
        >"$logs/check.txt" 2>&1 || status=$?
    show "pytest" "$logs/check.txt" 2000
    # 1 stands for failed tests; all above stand for none that ran as they should.
    [ "$status" -le 1 ] || return 2
    reported "$output/junit.xml"
}

check() {
    case $MESHBED_CHECK in
        comply) judged comply ;;
        scenario) judged scenario run ;;
        study) judged study run ;;
        pytest) tested ;;
        junit) reported "${words[@]}" ;;
    esac
}

# What a check that could not run has said: of wrong words the first line, of all else the last one.
reason() {
    [ -s "$logs/check.txt" ] || return 0
    grep -m 1 '^Error: ' "$logs/check.txt" || grep -v '^::' "$logs/check.txt" | tail -n 1
}

main() {
    local status=0
    mkdir -p "$logs" "$temporary" || fail "the folder $output cannot be made"
    rm -f "$output/summary.md"
    [ -z "${GITHUB_OUTPUT:-}" ] || echo "folder=$output" >>"$GITHUB_OUTPUT"
    case $MESHBED_CHECK in
        comply | scenario | study | pytest | junit | none) ;;
        *) fail "check is comply, scenario, study, pytest, junit or none, not '$MESHBED_CHECK'" ;;
    esac
    case $MESHBED_PACKAGE in
        tarball | deb | wheel) ;;
        *) fail "package is tarball, deb or wheel, not '$MESHBED_PACKAGE'" ;;
    esac
    case $MESHBED_EXIT_POLICY in
        fail | flag) ;;
        *) fail "exit-policy is fail or flag, not '$MESHBED_EXIT_POLICY'" ;;
    esac
    # Words with quotes, of which nothing is expanded.
    words=()
    mapfile -d '' -t words < <(xargs -r printf '%s\0' <<<"$MESHBED_ARGUMENTS" 2>"$logs/arguments.txt")
    [ ! -s "$logs/arguments.txt" ] || fail "arguments: $(tail -n 1 "$logs/arguments.txt")"

    # A report needs no command; a suite may bring its own.
    meshbed=""
    if [ -n "$MESHBED_FILE$MESHBED_VERSION" ]; then
        get_archive
        install_archive
    elif [ "$MESHBED_CHECK" != junit ]; then
        meshbed=$(command -v meshbed) || [ "$MESHBED_CHECK" = pytest ] ||
            fail "meshbed is not installed here: give a version with its digest, or a file"
    fi
    trap stop_target EXIT
    start_target
    if [ "$MESHBED_CHECK" = none ]; then
        # What was started stays until the job ends.
        trap - EXIT
        return 0
    fi

    check || status=$?
    stop_target
    if [ "$status" -ne 0 ]; then show "Log of the target" "$logs/target.txt"; fi
    if [ -s "$output/summary.md" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
        cat "$output/summary.md" >>"$GITHUB_STEP_SUMMARY"
    fi
    if [ "$status" -gt 1 ]; then
        fail "the check could not run: $(reason); its log is $logs/check.txt"
    fi
    [ -z "${GITHUB_OUTPUT:-}" ] || echo "status=$status" >>"$GITHUB_OUTPUT"
    return "$status"
}

main
