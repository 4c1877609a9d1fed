internal import ArgumentParser
internal import Foundation
internal import Transformable

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
        case .hex: "Use hexadecimal digits for encoded bytes."
        case .base64: "Use base64 (RFC 4648) for encoded bytes."
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

/// The format of rows.
enum RowNotation {
    case table
    case json
    case csv
}

/// Options for the format of rows.
struct RowOptions: ParsableArguments {
    @Flag(help: "Write JSON, with one object per line.")
    var json = false

    @Flag(help: "Write comma-separated values (RFC 4180).")
    var csv = false

    var notation: RowNotation {
        json ? .json : csv ? .csv : .table
    }

    func validate() throws {
        if json, csv { throw ValidationError("--json and --csv cannot be combined") }
    }
}

extension EncodedNotation {
    /// Returns bytes as text.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The text, on one line.
    func text(of bytes: Data) -> Data {
        switch self {
        case .base64: bytes.base64EncodedData()
        case .hex: Data(HexadecimalText.text(of: bytes).utf8)
        }
    }

    /// Parses bytes from text.
    ///
    /// Whitespace is ignored.
    ///
    /// - Parameter text: The text.
    /// - Returns: The bytes.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/badInput`` if the text is malformed.
    func bytes(of text: Data) throws(CommandError) -> Data {
        switch self {
        case .base64:
            guard let bytes = Base64Text.bytes(of: text) else {
                throw CommandError(.badInput, "the encoded bytes are not valid base64, which --base64 requires")
            }
            return bytes
        case .hex:
            guard let bytes = HexadecimalText.bytes(of: text.lazy.filter({ !Self.isSpace($0) })) else {
                let fault = "the encoded bytes are not pairs of hexadecimal digits, which --hex requires"
                throw CommandError(.badInput, fault)
            }
            return Data(bytes)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
