internal import ArgumentParser

/// The notation of encoded bytes in text.
enum EncodedNotation: String, EnumerableFlag {
    case hex
    case base64

    static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .hex: "Read and write encoded bytes as hexadecimal digits."
        case .base64: "Read and write encoded bytes as base64 (RFC 4648)."
        }
    }
}

/// The notation of encoded bytes in input and output.
struct EncodedOptions: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    var notation: EncodedNotation?
}
