internal import ArgumentParser

/// How encoded bytes stand in text.
enum EncodedNotation: String, EnumerableFlag {
    case hex
    case base64

    static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .hex: "Encoded bytes as hexadecimal digits."
        case .base64: "Encoded bytes as base64 (RFC 4648)."
        }
    }
}

/// How encoded bytes are given and shown.
struct EncodedOptions: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    var notation: EncodedNotation?
}
