#!/usr/bin/env bash
# tsan-quick.sh [window]: runs the tests of code that uses several threads under ThreadSanitizer: the exchange of
# snapshots, the simulation thread, histories of runs, worlds, the thread teams, the sweeps of voxel bodies and fluids,
# and islands of rigid bodies. With the argument `window`, the script instead runs the tests of the window, of video
# recording and of the comparison. CI omits these, because their build takes longer. Random edits, random walks
# (HistoryWalks), damaged session files, films, scores of robots and tests of all packaged scenes are always excluded:
# they take long and use no further code with threads. ./test.sh tsan runs everything.
set -euo pipefail
cd "$(dirname "$0")/.."
export TSAN_OPTIONS="suppressions='$PWD/tests/support/tsan.supp' halt_on_error=1 ${TSAN_OPTIONS:-}"
run() {  # argument: pattern of test names; runs the matching tests
  ctest --test-dir build/tsan --output-on-failure --no-tests=error -j "$(nproc)" -R "$1" \
    -E 'Validation|AtRandom|RandomEdits|HistoryWalks|SessionFile.*(AFileCutAnywhere|FlippedBytes|BecomeRare|Inconsistent|WholeTree)|Film|PackagedScenes|Score'
}
if [ "${1:-}" = window ]; then
  tools/build.sh tsan test_window_threads
  run '^window_threads\.'
else
  tools/build.sh tsan test_threads test_snapshot test_api test_history
  run '^(snapshot|api|history)\.|^threads\..*(SpinTeam|VoxelEngineBits|SphDeterminism|TheSameBitsAtAny|TheSameBitsOnAny|KeyFrames|FieldVisualizer|Schedule|WholeWorld)'
fi
