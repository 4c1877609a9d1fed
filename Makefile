# `make demo` and `make test` are what a newcomer needs; each installs the system packages that are missing.

.PHONY: bench demo test lint docs packages

demo: packages
	swift build --product transformable
	Scripts/demo.sh .build/debug/transformable

test: packages
	swift test

lint:
	swift format lint --strict --recursive --parallel Package.swift Plugins Sources Tests \
		Benchmarks/Package.swift Benchmarks/Sources

# Beside other libraries; `make bench ONLY=geometry` runs what has that in its name.
bench: packages
	swift run -c release --package-path Benchmarks bench $(ONLY)

docs: packages
	Scripts/build-documentation.sh

packages:
	@Scripts/install-packages.sh
