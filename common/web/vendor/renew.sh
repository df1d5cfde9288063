#!/usr/bin/env bash
# Replaces CodeMirror in this folder by that of Debian's libjs-codemirror, minified by Debian's esbuild, and writes the
# version to versions.txt. It needs apt-get and dpkg-deb.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q libjs-codemirror esbuild
for package in *.deb; do dpkg-deb -x "$package" x; done
echo "codemirror: Debian's libjs-codemirror $(dpkg-deb -f libjs-codemirror_*.deb Version)" >"$here/versions.txt"
cd x/usr/share/javascript/codemirror
"$work/x/usr/bin/esbuild" --minify --target=es5 --entry-names='[name]' --outdir="$here/codemirror" \
  lib/codemirror.js lib/codemirror.css mode/clike/clike.js addon/edit/matchbrackets.js
