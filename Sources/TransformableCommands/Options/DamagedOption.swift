internal import ArgumentParser

/// Whether setting an attribute may replace stored bytes that cannot be decoded.
struct DamagedOption: ParsableArguments {
    @Flag(
        name: .customLong("replace-damaged"),
        help: "Also replace values that cannot be decoded; their stored bytes are lost."
    )
    var isReplaced = false
}
