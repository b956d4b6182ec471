#!/usr/bin/env bash
# Runs the tests of code that uses several threads under ThreadSanitizer: the exchange of snapshots, the simulation
# thread, histories of runs, recording, worlds, the window, the thread teams, the sweeps of voxel bodies and fluids, and
# islands of rigid bodies. Comparisons of state hashes (Golden), random edits (AtRandom, RandomEdits), random walks
# (HistoryWalks), WindowCreature, damaged session files, films and the commands of the command line are excluded,
# because they run long and use no other threaded code. ./test.sh tsan runs everything.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh tsan test_threads test_snapshot test_api test_world test_history test_app
export TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp halt_on_error=1 ${TSAN_OPTIONS:-}"
ctest --test-dir build/tsan --output-on-failure -j "$(nproc)" -R '^(snapshot|api|world|history|app)\.|^threads\..*(SpinTeam|VoxelEngineBits|SphDeterminism|TheSameBitsAtAny|TheSameBitsOnAny|KeyFrames)' -E 'Validation|Golden|AtRandom|RandomEdits|HistoryWalks|WindowCreature|SessionFile.*(AFileCutAnywhere|FlippedBytes|BecomeRare|Inconsistent|WholeTree)|Film|Cli|FieldTest|SolveTest|VoxelEdits|PaintedMuscles|MeshCells'
