#!/usr/bin/env bash
# Runs the render tests on a second OpenGL driver: Mesa's zink, which translates OpenGL to Vulkan, over lavapipe, Vulkan on the processor.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh release test_render
icd=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -1)
[ -n "$icd" ] || { echo "lavapipe (package mesa-vulkan-drivers) is not installed" >&2; exit 1; }
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink VK_ICD_FILENAMES=$icd VK_DRIVER_FILES=$icd LIBGL_KOPPER_DRI2=1
build/release/tests/test_render --gtest_brief=1 "$@"
