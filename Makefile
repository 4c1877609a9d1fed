# `make demo` and `make test` are what a newcomer needs; each installs the system packages that are missing.

.PHONY: bench demo docs fuzz install laws lint packages sanitize soak test tsan

demo: packages
	swift build --product transformable
	Scripts/demo.sh .build/debug/transformable

# Every transformer is held to its laws in PluginLawTests; their variants by argument take minutes: make laws.
test: packages
	swift test --skip 'StandardPluginTests.LawTests|ImageLawTests|GeometryLawTests|EncryptionLawsTests'

laws: packages
	TRANSFORMABLE_LAWS=1 swift test --filter 'LawTests|LawsTests'

# The program with the Swift runtime in it, its manual pages, and completions: make install PREFIX=$$HOME/.local
PREFIX ?= /usr/local
RELEASE = -c release --static-swift-stdlib --product transformable

install: packages
	swift build $(RELEASE)
	Scripts/install.sh "$$(swift build $(RELEASE) --show-bin-path)/transformable" "$(DESTDIR)$(PREFIX)"

lint:
	swift format lint --strict --recursive --parallel Package.swift Plugins Sources Tests \
		Benchmarks/Package.swift Benchmarks/Sources Fuzzing/Package.swift Fuzzing/Sources Fuzzing/Tests

# Beside other libraries; `make bench ONLY=geometry` runs what has that in its name.
bench: packages
	swift run -c release --package-path Benchmarks bench $(ONLY)

# Damaged inputs for every transformer until interrupted, or for one: make fuzz ARGS="'png | sealed' --seconds 60".
# The plan of the build is made anew: a nested package's does not see new files of ours.
fuzz: packages
	rm -f Fuzzing/.build/release.yaml
	swift run -c release --package-path Fuzzing fuzz $(ARGS)

# Half an hour of the same, over every transformer; before it, a hundred thousand rows resealed under kills, 200
# writers of blobs and as many re-encodings of them that are killed at random, twenty kills of a migration of as many
# objects, a minute of two processes that write one store, 10,000 stores with damaged pages under every verb, and
# 200 MB through a stream.
soak: packages
	TRANSFORMABLE_SOAK=1 swift test --filter ResealCrashTests
	TRANSFORMABLE_CRASH_RUNS=200 swift test --filter 'BlobCrashTests|BlobReencodingSoakTests'
	TRANSFORMABLE_CRASH_OBJECTS=100000 TRANSFORMABLE_CRASH_MILLISECONDS=24000 swift test --filter MigrationCrashTests
	TRANSFORMABLE_MUTATIONS=10000 swift test --filter PageMutationTests
	TRANSFORMABLE_CONTENTION_SECONDS=60 swift test --filter ContentionTests
	TRANSFORMABLE_STREAM_BYTES=200000000 swift test --filter 'memoryDoesNotGrowWithTheValue|StreamedCommandTests'
	$(MAKE) fuzz ARGS="--seconds 1800"

# Our C, watched by AddressSanitizer and UndefinedBehaviorSanitizer, over mutations of pictures.
sanitize: packages
	Tests/Sanitize/image-shims.sh 200

# The tests with threads, watched by ThreadSanitizer: a build of its own, which takes a quarter of an hour.
tsan: packages
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/Sanitize/threads.supp" TRANSFORMABLE_CONTENTION_SECONDS=20 \
		swift test --sanitize=thread --scratch-path .build/tsan \
		--filter 'ContentionTests|ConcurrencyTests|ObservationTests|SectionTests|BulkInsertion|EncodeAll'

docs: packages
	Scripts/build-documentation.sh

packages:
	@Scripts/install-packages.sh
