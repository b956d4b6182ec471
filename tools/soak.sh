#!/usr/bin/env bash
# soak.sh SECONDS [SCENE...]: long test of the given packaged scenes (default: all) with random edits, done in batches.
# After VOXWAKE_SOAK_MINUTES (default 60), the script stops at the end of a batch with the exit status 3, or 1 if a scene
# has failed. The same command then continues from the progress in build/soak. If the results of the simulation have
# changed since, remove that folder.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { echo "usage: tools/soak.sh SECONDS [SCENE...]" >&2; exit 2; }
seconds=$1; shift
program=build/release/tests/soak
tools/build.sh release soak
folder=build/soak/$seconds
mkdir -p "$folder"
scenes=("$@")
[ $# -gt 0 ] || tools/build.sh release voxwake
[ $# -gt 0 ] || mapfile -t scenes < <(build/release/app/voxwake scenes | awk '{print $1}' | grep -E '^[a-z0-9-]+$')
[ ${#scenes[@]} -gt 0 ] || { echo "tools/soak.sh: no packaged scenes were found" >&2; exit 1; }
end=$(($(date +%s) + 60 * ${VOXWAKE_SOAK_MINUTES:-60}))
failed=0
for scene in "${scenes[@]}"; do
  while :; do
    if [ "$(date +%s)" -ge "$end" ]; then echo "The time limit was reached. Run the same command again to continue." >&2; exit $((failed ? 1 : 3)); fi
    status=0
    line=$("$program" "$scene" "$folder" --until "$seconds") || status=$?
    if [ "$status" -eq 3 ]; then continue; fi
    echo "$line"
    [ "$status" -eq 0 ] || failed=1
    break
  done
done
exit "$failed"
