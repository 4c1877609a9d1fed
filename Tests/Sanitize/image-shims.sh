#!/usr/bin/env bash
# Builds the image shims with AddressSanitizer and UndefinedBehaviorSanitizer, and runs them over pictures of their
# own, over files, and over mutations of all of them.
#
#     image-shims.sh [ROUNDS [PATH…]]
#
# ROUNDS is the number of mutations of each file, 50 by default. Without paths, the files are the corpora that
# TRANSFORMABLE_CORPORA names, if it is set.
set -euo pipefail
cd "$(dirname "$0")/../.."

rounds=${1:-50}
paths=("${@:2}")
if [ ${#paths[@]} -eq 0 ] && [ -n "${TRANSFORMABLE_CORPORA:-}" ]; then
    paths=("$TRANSFORMABLE_CORPORA/png" "$TRANSFORMABLE_CORPORA/jpeg")
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

read -ra libraries < <(pkg-config --cflags --libs libdeflate libpng libjpeg libwebp lcms2)
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined \
    -fno-sanitize-recover=all -fno-omit-frame-pointer \
    -ISources/CPNGShims/include -ISources/CJPEGShims/include -ISources/CWebPShims/include \
    -ISources/CLCMSShims/include \
    Tests/Sanitize/image-shims.c Sources/CPNGShims/*.c Sources/CJPEGShims/*.c Sources/CWebPShims/*.c \
    Sources/CLCMSShims/*.c \
    "${libraries[@]}" -lz -o "$work/image-shims"
UBSAN_OPTIONS=print_stacktrace=1 "$work/image-shims" "$rounds" "${paths[@]}"
