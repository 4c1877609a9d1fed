#!/usr/bin/env bash
# Builds and runs the example, whose classes the build plugin generates, and compares the classes that are checked in
# with what the command plugin generates.
set -euo pipefail
cd "$(dirname "$0")/.."

# The example shares the build of this package, which it would otherwise repeat, macros and all. The plan is removed
# before and after, because the package manager reuses the plan in a folder even if it is the plan of another package.
# With the same versions of dependencies, their checkouts stay as they are.
options=(--package-path Examples/Clinic --scratch-path .build)
remove_plan() { rm -f .build/debug.yaml .build/plugin-tools.yaml; }
trap remove_plan EXIT

remove_plan
if [ -f Package.resolved ]; then cp Package.resolved Examples/Clinic/; fi
swift run "${options[@]}" clinic
swift package "${options[@]}" --allow-writing-to-package-directory generate-model --target Ledger --check
swift package "${options[@]}" --allow-writing-to-package-directory generate-model --target Ledger --check \
    --out "$PWD/Examples/Clinic/Sources/Ledger/Generated"
