#!/usr/bin/env bash
# package-check.sh [PART...]: builds the packages (tools/package.sh) and tests them.
#   lintian   Debian's checks of packages
#   chroot    installs each package in a minimal Debian 12, uses it, opens files by MIME type, removes the package, and
#             checks that no file is left; needs root, and the package debootstrap
#   portable  runs the portable archive from an unusual folder
# Without PART, all parts run. The minimal system is kept in build/package/base.tar.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- lintian chroot portable
folder=$PWD/build/package
mkdir -p "$folder"
fail() { echo "tools/package-check.sh: $*" >&2; exit 1; }

needs_debs=
for part in "$@"; do case $part in lintian | chroot) needs_debs=yes ;; esac; done
if [ -n "$needs_debs" ]; then
  rm -f "$folder"/*.deb
  tools/package.sh deb "$folder"
fi

check_lintian() {
  # Tags of packages that are not built from a Debian source package do not apply.
  lintian --fail-on error,warning --suppress-tags no-manual-page,initial-upload-closes-no-bugs,bogus-mail-host,recursive-privacy-breach "$folder"/*.deb ||
    fail "lintian reports errors"
  echo "lintian: no errors and no warnings"
}

make_base() {  # makes an archive of the minimal system
  local root=$1
  [ -f "$folder/base.tar" ] && { tar -C "$root" -xf "$folder/base.tar"; return; }
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sed -n '/\/debian\/\?$/p' | sed -n 1p)
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$folder/debootstrap.log" 2>&1 ||
    fail "debootstrap failed: $(tail -1 "$folder/debootstrap.log")"
  tar -C "$root" -cf "$folder/base.tar.part" .
  mv "$folder/base.tar.part" "$folder/base.tar"
}

in_root() {
  # shellcheck disable=SC2046
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    $(env | grep -iE '^(https?|no)_proxy=' | tr '\n' ' ') chroot "$root" bash -euo pipefail -c "$1" </dev/null
}
files_of_root() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print | LC_ALL=C sort); }

check_chroot() {
  root=$(mktemp -d "$folder/root.XXXXXX")
  leave() {
    for mount in dev/pts dev/shm dev proc sys; do if mountpoint -q "$root/$mount"; then umount -l "$root/$mount"; fi; done
    rm -rf --one-file-system "$root"
  }
  trap leave EXIT
  make_base "$root"
  cp -a /etc/apt/. "$root/etc/apt/"; cp /etc/resolv.conf /etc/hosts "$root/etc/"
  mkdir -p "$root/usr/share/keyrings" "$root/etc/ssl/certs" "$root/usr/local/share/ca-certificates"
  cp -an /usr/share/keyrings/. "$root/usr/share/keyrings/"; cp -aL /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  for mount in proc sys dev dev/pts dev/shm; do mkdir -p "$root/$mount"; mount --bind "/$mount" "$root/$mount"; done
  mkdir "$root/packages"; cp "$folder"/*.deb "$root/packages/"
  in_root 'apt-get update -qq; apt-get install -y -qq --no-install-recommends man-db shared-mime-info desktop-file-utils libglib2.0-bin hicolor-icon-theme bash-completion >/dev/null 2>&1'
  # The libraries that the packages need are installed first. The lists of files before and after then differ only by
  # the files of the packages themselves.
  in_root 'apt-get install -y -qq --no-install-recommends $(for f in /packages/*.deb; do dpkg-deb -f $f Depends; done | tr "," "\n" | sed "s/(.*//; s/|.*//" | tr -d " " | grep -v "^libvoxwake\|^voxwake" | sort -u) python3-minimal >/dev/null 2>&1'
  files_of_root >"$folder/files-before.txt"

  in_root 'cd /packages && apt-get install -y -qq --no-install-recommends ./voxwake_*.deb >/dev/null 2>&1'
  in_root 'cd /tmp && voxwake --version | head -1
    voxwake scenes | grep "^showcase" >/dev/null
    voxwake run jelly-drop --steps 24 | tee run.txt
    voxwake render showcase --until 0.05 --size 160x90 --software --frame frame.png >/dev/null && test -s frame.png
    man -w voxwake-run >/dev/null && man voxwake-run | grep -e --until >/dev/null
    source /usr/share/bash-completion/completions/voxwake && complete -p voxwake >/dev/null
    voxwake export walker --out robot.vxa
    for name in creature.voxwake.toml plain other.toml; do cp /usr/share/voxwake/assets/scenes/walker.toml $name; done
    printf "\x89VWJ\r\n\x1a\n" >session
    desktop-file-validate /usr/share/applications/voxwake.desktop
    type_of() { gio info -a standard::content-type "$1" | sed -n "s/.*content-type: //p"; }
    for pair in robot.vxa=x-voxcad creature.voxwake.toml=x-voxwake-scene plain=x-voxwake-scene session=x-voxwake-session other.toml=toml; do
      found=$(type_of ${pair%%=*}); [ "$found" = application/${pair##*=} ] || { echo "type of ${pair%%=*}: $found" >&2; exit 1; }
      [ ${pair##*=} = toml ] || gio mime $found | head -1 | grep -q voxwake.desktop
    done
    # gio open does what a double click does. The program must report that there is no display.
    gio open robot.vxa 2>message.txt; for i in $(seq 600); do grep -q "no display is available.*robot.vxa" message.txt && break; sleep 0.1; done
    grep -q "no display is available.*robot.vxa" message.txt'
  local expected found
  expected=$(awk '$1 == "jelly-drop" {print $2}' tests/golden/hashes.tsv)
  found=$(sed -n 's/.*state hash \([0-9a-f]*\).*/\1/p' "$root/tmp/run.txt")
  [ "$found" = "$expected" ] || fail "the installed program gives the state hash $found, expected $expected"
  echo "voxwake: installed, runs with the state hash of this build, opens files by their MIME type"

  in_root 'cd /packages && apt-get install -y -qq --no-install-recommends ./python3-voxwake_*.deb >/dev/null 2>&1
    cd /tmp && python3 -c "import voxwake; world = voxwake.World(\"jelly-drop\"); world.step(24); print(world.hash)"' | tee "$folder/python.txt"
  grep -qi "$expected" "$folder/python.txt" || grep -q "$((16#$expected))" "$folder/python.txt" || fail "the Python module gives another state hash"
  echo "python3-voxwake: installed, the same state hash"
  in_root 'cd /packages && apt-get install -y -qq --no-install-recommends ./libvoxwake-dev_*.deb >/dev/null 2>&1 && test -f /usr/lib/cmake/voxwake/voxwakeConfig.cmake'
  echo "libvoxwake-dev: installed"

  in_root 'apt-get purge -y -qq voxwake libvoxwake-dev python3-voxwake >/dev/null 2>&1; rm -rf /tmp/*'
  files_of_root | grep -v '^./root/\|^./packages' >"$folder/files-after.txt"
  # Caches of other packages (icons, MIME types, manual pages) may have been rewritten, but no new file may be left.
  if comm -13 <(grep -v '^./root/\|^./packages' "$folder/files-before.txt") "$folder/files-after.txt" | grep -v '/mimeinfo.cache$\|/icon-theme.cache$\|^./var/cache' | tee "$folder/residue.txt" | grep -q .; then
    cat "$folder/residue.txt" >&2
    fail "files remain after the packages were removed"
  fi
  echo "all packages: removed without residue"
  leave
  trap - EXIT
}

check_portable() {
  local archive expected found
  archive=$(tools/package.sh portable "$folder")
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  local place="$temporary/a place with spaces"
  mkdir -p "$place"
  tar -C "$place" -xJf "$archive"
  mv "$place"/voxwake-* "$place/vw"
  expected=$(awk '$1 == "jelly-drop" {print $2}' tests/golden/hashes.tsv)
  found=$(cd / && env -u LD_LIBRARY_PATH VOXWAKE_NO_SOURCE_TREE=1 "$place/vw/bin/voxwake" run jelly-drop --steps 24 | sed -n 's/.*state hash \([0-9a-f]*\).*/\1/p')
  [ "$found" = "$expected" ] || fail "the portable program gives the state hash $found, expected $expected"
  ldd "$place/vw/bin/voxwake" | grep "libassimp.*$place" >/dev/null || fail "the portable program does not use the libraries beside it"
  ! "$place/vw/bin/voxwake" --version | grep -i "GPL" >/dev/null || fail "the portable program contains code under the GPL"
  rm -rf "$temporary"
  echo "portable: $(du -h "$archive" | cut -f1), runs from another folder with the state hash of this build"
}

for part in "$@"; do "check_$part"; done
