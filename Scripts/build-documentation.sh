#!/usr/bin/env bash
# Builds the DocC catalog of every library; a warning is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

# The documentation plugin is a dependency only here, so that users of the library never resolve it.
export TRANSFORMABLE_DOCS=1
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    mapfile -t targets < <(find Sources Plugins -name Documentation.docc -printf '%h\n' | xargs -n 1 basename | sort)
fi
swift package --disable-sandbox generate-documentation "${targets[@]/#/--target=}" --warnings-as-errors
