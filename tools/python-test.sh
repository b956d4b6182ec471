#!/usr/bin/env bash
# python-test.sh [ARGUMENT...]: builds the Python module and runs its tests. The arguments are passed to pytest. Without
# arguments, the script also tests the package in a virtual environment and the content of the Debian package. PYTHON is
# the interpreter (default: /usr/bin/python3, because Debian's NumPy is installed for it).
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
# The build folder may have been configured for another interpreter, for example by pip in a virtual environment.
cmake --preset python -DPython_EXECUTABLE="$(realpath "$(command -v "$python")")" >/dev/null
tools/build.sh python voxwake_python
export PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$PWD/build/python/python "$python" -m pytest -q -p no:cacheprovider tests/python "$@"
[ $# -eq 0 ] || exit 0

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/pip" install --no-build-isolation --no-index --quiet .
cp tests/python/conftest.py tests/python/test_installed.py "$folder"
test_installed() {  # arguments: interpreter
  (cd "$folder" && VOXWAKE_NO_SOURCE_TREE=1 "$1" -m pytest -q -p no:cacheprovider test_installed.py)
}
test_installed "$folder/venv/bin/python"

dpkg-deb -x "$(tools/package.sh python "$folder")" "$folder/root"
PYTHONPATH=$folder/root/usr/lib/python3/dist-packages test_installed "$python"
