#!/usr/bin/env bash
# Runs the tests of code that uses several threads under ThreadSanitizer: the exchange of snapshots, the simulation
# thread, histories of runs, recording, worlds, the window, the thread teams, the sweeps of voxel bodies and fluids, and
# islands of rigid bodies. Random edits, random walks (HistoryWalks), damaged session files, films, scores of robots and
# tests of all packaged scenes are excluded, because they run long and use no other threaded code. ./test.sh tsan runs
# everything.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh tsan test_threads test_snapshot test_api test_history
export TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp halt_on_error=1 ${TSAN_OPTIONS:-}"
ctest --test-dir build/tsan --output-on-failure -j "$(nproc)" -R '^(snapshot|api|history)\.|^threads\..*(SpinTeam|VoxelEngineBits|SphDeterminism|TheSameBitsAtAny|TheSameBitsOnAny|KeyFrames|FieldVisualizer|Schedule|WholeWorld|Capture|Documents|LowestFrequency|Moment|File|Window)' -E 'Validation|AtRandom|RandomEdits|HistoryWalks|SessionFile.*(AFileCutAnywhere|FlippedBytes|BecomeRare|Inconsistent|WholeTree)|Film|PackagedScenes|Score'
