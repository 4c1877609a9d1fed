#!/usr/bin/env bash
# Installs the system packages that the build needs and that are missing, on Debian and Ubuntu, and those that are given
# as arguments.
set -euo pipefail

needed=(libdeflate-dev libjpeg-dev liblcms2-dev libpng-dev libpq-dev libsodium-dev libsqlite3-dev libwebp-dev pkg-config sqlite3 zlib1g-dev "$@")
missing=()
for package in "${needed[@]}"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "This system has no apt-get: install what corresponds to these packages: ${missing[*]}" >&2
    exit 1
fi
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
