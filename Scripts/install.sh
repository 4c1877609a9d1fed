#!/usr/bin/env bash
# install.sh BINARY PREFIX: installs the program, its manual pages, and completions for bash, zsh and fish.
set -euo pipefail
binary=$1 prefix=$2
name=$(basename "$binary")

install -D -m 755 "$binary" "$prefix/bin/$name"
"$binary" manual "$prefix/share/man" > /dev/null

# completion SHELL FILE: the shell finds it there by the program's name.
completion() {
    mkdir -p "$(dirname "$2")"
    "$binary" --generate-completion-script "$1" > "$2.new"
    mv "$2.new" "$2"
}
completion bash "$prefix/share/bash-completion/completions/$name"
completion zsh "$prefix/share/zsh/site-functions/_$name"
completion fish "$prefix/share/fish/vendor_completions.d/$name.fish"
chmod -R u=rwX,go=rX "$prefix/share/man/man1/$name"*.1 "$prefix/share/man/man7/$name"*.7
echo "Installed $prefix/bin/$name, its manual pages and completions"
