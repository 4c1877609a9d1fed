internal import ArgumentParser

/// What becomes of stored bytes that cannot be decoded when their attribute is set.
struct DamagedOption: ParsableArguments {
    @Flag(
        name: .customLong("replace-damaged"),
        help: "Also set values whose stored bytes cannot be decoded; those bytes are lost."
    )
    var isReplaced = false
}
