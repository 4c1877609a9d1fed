# Start with `make demo` and `make test`. Each target installs the system packages that are missing.

LONG_TESTS = StandardPluginTests.LawTests|ImageLawTests|GeometryLawTests|EncryptionLawsTests

.PHONY: bench demo docs example fuzz install laws lint packages sanitize soak test test-citus tsan

demo: packages
	swift build --product transformable
	Scripts/demo.sh .build/debug/transformable

# Starts a PostgreSQL server of its own, in a temporary folder. PluginLawTests checks the laws of every transformer. The
# variants with arguments take minutes: make laws. All tests of a run begin at once, so two runs have fewer files open:
# with more than 1,350, Foundation may crash when it starts a program.
test: packages
	Scripts/install-packages.sh pgbouncer postgresql time
	swift test --filter TransformableStoreTests
	swift test --skip 'TransformableStoreTests|$(LONG_TESTS)'
	TRANSFORMABLE_MACRO_TESTS=1 swift test

# Runs the tests of stores that Citus distributes, on a cluster of its own, or on the one at TRANSFORMABLE_CITUS.
test-citus: packages
	Scripts/test-citus.sh

laws: packages
	TRANSFORMABLE_LAWS=1 swift test --filter 'LawTests|LawsTests'

# Installs the program, statically linked to the Swift runtime, with its manual pages and completions:
# make install PREFIX=$$HOME/.local
PREFIX ?= /usr/local
RELEASE = -c release --static-swift-stdlib --product transformable

install: packages
	swift build $(RELEASE)
	Scripts/install.sh "$$(swift build $(RELEASE) --show-bin-path)/transformable" "$(DESTDIR)$(PREFIX)"

lint:
	swift format lint --strict --recursive --parallel Package.swift Plugins Sources Tests \
		Benchmarks/Package.swift Benchmarks/Sources Examples/Clinic/Package.swift Examples/Clinic/Sources \
		Fuzzing/Package.swift Fuzzing/Sources Fuzzing/Tests

# Builds and runs the package in Examples/Clinic, whose classes the plugins generate.
example: packages
	Scripts/build-example.sh

# Compares the library with others. `make bench ONLY=geometry` runs the benchmarks with that in their name.
bench: packages
	swift run -c release --package-path Benchmarks bench $(ONLY)

# Runs every transformer on damaged inputs until interrupted, or a single one:
# make fuzz ARGS="'png | sealed' --seconds 60".
# Removes the build plan first, because the plan of a nested package does not include new files of this package.
fuzz: packages
	rm -f Fuzzing/.build/release.yaml
	swift run -c release --package-path Fuzzing fuzz $(ARGS)

# Fuzzes every transformer for half an hour. Before that, it reseals 100,000 rows while processes are killed, kills 200
# writers of blobs and 200 re-encodings of blobs at random, kills a migration of 100,000 objects twenty times, writes to
# stores of both kinds from two processes for a minute, runs every command on 10,000 stores with damaged pages, edits
# relationships 30,000 times, edits in 400 pairs of contexts, migrates along the paths of 1,000 histories, compares
# 20,000 fetches by text with Swift's result, reads and writes a million dates, decimals, and numbers as text, streams
# 200 MB, ends a PostgreSQL server 50 times under the load of connections and 50 times under that of stores, and changes
# the answers of a server on 10,000 connections.
soak: packages
	Scripts/install-packages.sh pgbouncer postgresql time
	TRANSFORMABLE_SOAK=1 swift test --filter ResealCrashTests
	TRANSFORMABLE_CRASH_RUNS=200 swift test --filter 'BlobCrashTests|BlobReencodingSoakTests'
	TRANSFORMABLE_CRASH_OBJECTS=100000 TRANSFORMABLE_CRASH_MILLISECONDS=24000 swift test --filter MigrationCrashTests
	TRANSFORMABLE_MUTATIONS=10000 swift test --filter PageMutationTests
	TRANSFORMABLE_EDITS=5000 swift test --filter RelatedListPropertyTests
	TRANSFORMABLE_CONTEXTS=400 swift test --filter TwoContextTests
	TRANSFORMABLE_MIGRATION_HISTORIES=1000 swift test --filter MigrationHistoryTests
	TRANSFORMABLE_TEXT_COMPARISONS=20000 swift test --filter TextPredicateTests
	TRANSFORMABLE_RANDOM_VALUES=1000000 swift test --filter 'TextFormTests|RandomNumberTests'
	TRANSFORMABLE_CONTENTION_SECONDS=60 swift test --filter ContentionTests
	TRANSFORMABLE_STREAM_BYTES=200000000 swift test --filter 'memoryDoesNotGrowWithTheValue|StreamedCommandTests'
	TRANSFORMABLE_CRASH_RUNS=50 swift test --filter 'PostgresCrashTests|EngineCrashTests'
	TRANSFORMABLE_MUTATIONS=10000 swift test --filter HostileServerTests
	$(MAKE) fuzz ARGS="--seconds 1800"

# Runs the C shims on mutated pictures with AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: packages
	Tests/Sanitize/image-shims.sh 200

# Runs the tests that use threads with ThreadSanitizer. They need a separate build, which takes 15 minutes.
tsan: packages
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/Sanitize/threads.supp" TRANSFORMABLE_CONTENTION_SECONDS=20 \
		swift test --sanitize=thread --scratch-path .build/tsan \
		--filter 'ContentionTests|ConcurrencyTests|ObservationTests|SectionTests|BulkInsertion|EncodeAll|DecodeAhead'

docs: packages
	Scripts/build-documentation.sh

packages:
	@Scripts/install-packages.sh
