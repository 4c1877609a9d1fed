internal import ArgumentParser

/// The destination of a result.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(
            "Write the result to this file, atomically; “-” is standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Flag(help: "Write the exact bytes, even to a terminal, without adding or removing a final newline.")
    var raw = false

    /// The path of the file, or nil for standard output.
    var path: String? { file == "-" ? nil : file }

    /// The lowercased extension of the file, which selects the format of an image.
    var format: String? {
        path.flatMap { FilePath($0).fileExtension }
    }

    func validate() throws {
        if file == "" { throw ValidationError("--out requires a file name") }
    }
}

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

/// The format of a listing.
package struct ListingOptions: ParsableArguments {
    @Flag(help: "Write JSON.")
    package var json = false
}
