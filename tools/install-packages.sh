#!/usr/bin/env bash
# install-packages.sh FILE...: installs the Debian packages that the files list, except packages that are already
# installed.
set -euo pipefail
mapfile -t wanted < <(sed 's/#.*//; /^[[:space:]]*$/d' "$@")
missing=()
installed=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/ installed$//p; ' | sed 's/:.*//' || true)
for package in "${wanted[@]}"; do
  grep -qx "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null; then
  echo "tools/install-packages.sh: apt-get was not found. Install these packages: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "tools/install-packages.sh: sudo was not found. Run as root: apt-get install --no-install-recommends ${missing[*]}" >&2; exit 1; }
  as_root=(sudo env DEBIAN_FRONTEND=noninteractive)  # sudo clears the environment
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# A foreign source of packages that cannot be reached does not prevent the installation.
"${as_root[@]}" apt-get update -qq || echo "tools/install-packages.sh: apt-get update failed; the present lists of packages are used." >&2
# Another program, such as the daily update of a desktop, may install packages at the same time.
"${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
