#!/usr/bin/env bash
# python-deb.sh FOLDER: builds the Python package and writes it to FOLDER as a Debian package, python3-voxwake. The
# package holds the module, the packaged scenes and the licence.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mkdir -p "$1" && cd "$1" && pwd)
python=${PYTHON:-/usr/bin/python3}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
packages=$stage/root/usr/lib/python3/dist-packages
"$python" -m pip install --no-build-isolation --no-index --no-deps --no-compile --quiet --root-user-action=ignore --target "$packages" .
rm -f "$packages"/*.dist-info/{direct_url.json,REQUESTED,RECORD,INSTALLER}  # facts about this installation
install -D -m 644 LICENSE "$stage/root/usr/share/doc/python3-voxwake/copyright"
version=$(sed -n 's/^project(voxwake VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
architecture=$(dpkg --print-architecture)
chmod -R u=rwX,go=rX "$stage/root"

# dpkg-shlibdeps names the packages of the libraries that the module needs. It reads a source package's control file.
mkdir -p "$stage/debian" "$stage/root/DEBIAN"
touch "$stage/debian/control"
module=$(find "$stage/root" -name '_core*.so')
libraries=$(cd "$stage" && dpkg-shlibdeps -O --ignore-missing-info "$module" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
next=$("$python" -c 'import sys; print(f"{sys.version_info.major}.{sys.version_info.minor + 1}")')
this=$("$python" -c 'import sys; print(f"{sys.version_info.major}.{sys.version_info.minor}")')
cat >"$stage/root/DEBIAN/control" <<CONTROL
Package: python3-voxwake
Version: $version
Architecture: $architecture
Maintainer: The Voxwake founders <noreply@voxwake.invalid>
Installed-Size: $(du -sk "$stage/root" | cut -f1)
Depends: python3 (>= $this), python3 (<< $next), python3-numpy, $libraries
Recommends: libegl1
Section: python
Priority: optional
Description: soft voxel bodies, water, rigid bodies, flocks and wind
 Python module that runs worlds of Voxwake, reads their state as NumPy arrays,
 builds scenes and draws pictures.
CONTROL
file="$out/python3-voxwake_${version}_$architecture.deb"
dpkg-deb --root-owner-group --build "$stage/root" "$file" >/dev/null
echo "$file"
