#!/usr/bin/env bash
# ThreadSanitizer over everything that crosses threads: the exchange, the simulation thread, recording, the window, the team that sweeps a body, the sweeps of a fluid, islands of rigid bodies.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh tsan test_threads test_snapshot test_world test_app voxwake
export TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp halt_on_error=1 ${TSAN_OPTIONS:-}"
ctest --test-dir build/tsan --output-on-failure -j "$(nproc)" -R '^(snapshot|world|app)\.|^threads\..*(SpinTeam|VoxelEngineBits|SphDeterminism|TheSameBitsAtAny|TheSameBitsOnAny|KeyFrames)' -E Validation
