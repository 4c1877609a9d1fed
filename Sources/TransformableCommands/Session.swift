internal import ArgumentParser
internal import Foundation
internal import Transformable

/// What the commands of one run share: input and output, the function that creates the registry, and unfinished files.
///
/// ArgumentParser creates the commands, so the session cannot be passed to them. They find it in ``current``.
package struct Session: Sendable {
    @TaskLocal package static var current = Session()

    var programName = "transformable"
    var io = CommandIO()
    var temporaryFiles = TemporaryFiles()
    /// The root command, whose options depend on where keys come from.
    private(set) var root: any ParsableCommand.Type = RootCommand<NoKeys>.self
    /// How errors about keys are reported.
    private(set) var keyErrors = KeyErrors()
    /// Whether commands can read keys.
    private(set) var hasKeys = false
    private var makeRegistry: @Sendable () throws -> TransformerRegistry = { try TransformerRegistry {} }

    /// The registry for operations that need no key.
    var keylessRegistry: TransformerRegistry {
        get throws { try makeRegistry() }
    }

    /// Whether the user can be asked a question at the terminal.
    package var canAsk: Bool { io.isInputTerminal || io.isMessagesTerminal }

    init() {}

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - keys: The options that name keys.
    ///   - registry: A closure that creates the registry for operations that need no key.
    init<Keys: KeySource>(_ keys: Keys.Type, _ registry: @escaping @Sendable () throws -> TransformerRegistry) {
        root = RootCommand<Keys>.self
        keyErrors = Keys.errors
        hasKeys = keys != NoKeys.self
        makeRegistry = registry
    }

    /// Restores the terminal's settings if the process is interrupted while the body asks without echo.
    package func whileAsking<Result>(_ body: () throws -> Result) rethrows -> Result {
        try temporaryFiles.whileAsking(body)
    }

    /// Runs a closure that creates or replaces a file, and delays interruptions until it returns.
    package func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result {
        try temporaryFiles.withoutInterruption(body)
    }

    /// Writes a result to a file, or to standard output if no file is given.
    ///
    /// - Parameters:
    ///   - content: The result.
    ///   - output: The destination, and whether to write the exact bytes.
    /// - Throws: ``CommandError`` if the output cannot be written.
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

    /// Writes a message on one line that any terminal can show, because it can name what a file contains.
    package func tell(_ line: some CustomStringConvertible) {
        let line = "\(line)".onOneLine
        // If writing the message fails, there is no way to report it.
        try? writeAll(Data("\(line)\n".utf8), to: io.messages, name: "standard error")
    }

    /// Writes lines that any terminal can show to standard output.
    ///
    /// Control characters are escaped, except newlines and tabs. Text that comes from a file must not contain newlines
    /// that could pass for the end of a line.
    ///
    /// - Parameter text: The lines, without the final newline.
    /// - Throws: ``CommandError`` if the output cannot be written.
    package func print(_ text: String) throws(CommandError) {
        try writeLine(text.escapingControls)
    }

    private func writeLine(_ text: String) throws(CommandError) {
        try writeAll(Data((text + "\n").utf8), to: io.output, name: "standard output")
    }

    /// Writes the result of a change that has been saved.
    ///
    /// - Parameter text: The lines, without the final newline.
    /// - Throws: ``CommandError`` if the output cannot be written. It says that the change is saved, so that nobody
    ///   makes it twice.
    package func print(saved text: String) throws(CommandError) {
        do {
            try print(text)
        } catch {
            guard error.code == .inputOutput else { throw error }
            throw CommandError(error.code, "\(error.message); the change is saved")
        }
    }

    /// Writes a value as a JSON document to standard output.
    ///
    /// - Parameter value: The value, which must be encoded as an object.
    /// - Throws: ``CommandError`` if the output cannot be written.
    package func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try print(document: encoder.encode(VersionedJSON(content: value)))
    }

    /// Writes a JSON document that any terminal can show to standard output.
    ///
    /// - Parameter json: The document, whose strings may contain characters that control a terminal.
    /// - Throws: ``CommandError`` if the output cannot be written.
    func print(document json: Data) throws(CommandError) {
        try writeLine(String(decoding: json, as: UTF8.self).escapingControlsOfJSON)
    }
}

/// A result to write.
struct Content {
    var bytes: Data
    /// Whether the result is a sealed value, which other users must not be able to read.
    var isConfidential = false
    /// Whether the result is text, which is followed by a newline on standard output.
    var isLine: Bool

    /// Returns the same result, marked as a sealed value or not.
    func confidential(_ isConfidential: Bool) -> Self {
        var copy = self
        copy.isConfidential = isConfidential
        return copy
    }

    /// Whether the bytes are text without control characters, which a terminal can show.
    fileprivate var isPrintable: Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || ["\n", "\t", "\r"].contains(scalar)
        }
    }
}

extension CommandError {
    fileprivate static func binaryToTerminal(count: Int) -> Self {
        let ways = "use --out FILE, --hex or --base64 for encoded bytes, a pipe, or --raw"
        return Self(.usage, "the result is \(count.counted("byte")) that a terminal cannot show; \(ways)")
    }
}

/// The file descriptors that commands read from and write to.
public struct CommandIO: Sendable {
    /// The descriptor to read values from when neither an argument nor a file provides them.
    public var input: Int32
    /// The descriptor to write results to.
    public var output: Int32
    /// The descriptor to write messages to.
    public var messages: Int32
    /// Whether the input is a terminal.
    public var isInputTerminal: Bool
    /// Whether the output is a terminal, which must not receive binary data.
    public var isOutputTerminal: Bool
    /// Whether messages go to a terminal, so that long operations can show progress.
    public var isMessagesTerminal: Bool

    /// Creates a set of descriptors.
    ///
    /// The caller keeps them open.
    ///
    /// - Parameters:
    ///   - input: The descriptor to read values from when neither an argument nor a file provides them.
    ///   - output: The descriptor to write results to.
    ///   - messages: The descriptor to write messages to.
    public init(input: Int32 = 0, output: Int32 = 1, messages: Int32 = 2) {
        self.input = input
        self.output = output
        self.messages = messages
        isInputTerminal = isatty(input) == 1
        isOutputTerminal = isatty(output) == 1
        isMessagesTerminal = isatty(messages) == 1
    }
}
