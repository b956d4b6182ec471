#!/usr/bin/env bash
# Runs the render tests on a second OpenGL driver. Mesa's zink translates OpenGL to Vulkan, and lavapipe runs Vulkan on
# the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh release test_render
icd=$(find /usr/share/vulkan/icd.d -name 'lvp_icd*.json' 2>/dev/null | sed -n 1p || true)
[ -n "$icd" ] || { echo "tools/second-driver.sh: lavapipe was not found. Install the package mesa-vulkan-drivers." >&2; exit 1; }
runtime=$(mktemp -d)
trap 'rm -rf "$runtime"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=zink VK_ICD_FILENAMES=$icd VK_DRIVER_FILES=$icd XDG_RUNTIME_DIR=$runtime VOXWAKE_DRIVER=zink
build/release/tests/test_render --gtest_brief=1 "$@"
