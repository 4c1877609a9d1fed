internal import EncryptionPlugin
internal import Foundation
internal import Transformable

/// What the commands of one run share: input and output, the registry's maker, files in the making.
///
/// ArgumentParser makes the commands, so that they cannot be given it; they find it in ``current``, which
/// holds for one run only.
struct Session: Sendable {
    @TaskLocal static var current = Session()

    var programName = "transformable"
    var io = CommandIO()
    var temporaryFiles = TemporaryFiles()
    /// The key file that the environment names.
    var keyFile: String?
    var makeRegistry: @Sendable (KeyRing) throws -> TransformerRegistry = { _ in try TransformerRegistry {} }

    /// The registry for what needs no key.
    var keylessRegistry: TransformerRegistry {
        get throws { try makeRegistry(.empty) }
    }

    /// Writes a result to a file, or to standard output if there is none.
    ///
    /// - Parameters:
    ///   - content: The result.
    ///   - output: Where to, and whether exactly.
    /// - Throws: ``CommandError``.
    func write(_ content: Content, to output: OutputOptions) throws {
        if output.path != nil {
            return try write(to: output, isConfidential: content.isConfidential) { put in try put(content.bytes) }
        }
        if io.isOutputTerminal, !output.raw, !content.isPrintable {
            throw CommandError.binaryToTerminal(count: content.bytes.count)
        }
        let needsLineEnd = content.isLine || (io.isOutputTerminal && content.bytes.last != UInt8(ascii: "\n"))
        let end = needsLineEnd && !output.raw ? Data("\n".utf8) : Data()
        try writeAll(content.bytes + end, to: io.output, name: "standard output")
    }

    /// Writes a line to whoever watches the run.
    func tell(_ line: some CustomStringConvertible) {
        // There is nobody left to tell if this fails, too.
        try? writeAll(Data("\(line)\n".utf8), to: io.messages, name: "standard error")
    }

    /// Writes lines to standard output.
    ///
    /// - Parameter text: The lines, the last one without its end.
    /// - Throws: ``CommandError``.
    func print(_ text: String) throws(CommandError) {
        try writeAll(Data((text + "\n").utf8), to: io.output, name: "standard output")
    }

    /// Writes a value as a JSON document to standard output.
    ///
    /// - Parameter value: The value, which is encoded as an object.
    /// - Throws: ``CommandError``.
    func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try print(String(decoding: encoder.encode(VersionedJSON(content: value)), as: UTF8.self))
    }
}

/// A result on its way out.
struct Content {
    var bytes: Data
    /// Whether it is a value that was sealed, which others must not read.
    var isConfidential = false
    /// Whether it is text that a line's end follows on standard output.
    var isLine: Bool

    /// The same, if it is a value that was sealed, or one that was not.
    func confidential(_ isConfidential: Bool) -> Self {
        var copy = self
        copy.isConfidential = isConfidential
        return copy
    }

    /// Whether the bytes are text without control characters, fit for a terminal.
    var isPrintable: Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || ["\n", "\t", "\r"].contains(scalar)
        }
    }
}

extension CommandError {
    fileprivate static func binaryToTerminal(count: Int) -> Self {
        let ways = "give --out FILE, --hex or --base64 for encoded bytes, a pipe, or --raw"
        return Self(.usage, "the result is \(count.counted("byte")) that a terminal cannot show; \(ways)")
    }
}
