internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// The source of a value.
enum InputSource: Equatable {
    case argument(String)
    case file(String)
    case standardInput

    /// The maximum number of bytes to read into memory: 1 GiB.
    static let limit = 1 << 30

    /// The name of the source in messages.
    var name: String {
        switch self {
        case .argument: "the value"
        case .file(let path): "“\(path)”"
        case .standardInput: "standard input"
        }
    }

    /// Whether the text was piped.
    ///
    /// If so, a newline at its end belongs to the pipe, not to the value.
    var isStream: Bool { self == .standardInput }

    /// Whether the value is an argument that is the name of a file, whose contents may have been meant.
    var isNameOfFile: Bool {
        guard case .argument(let text) = self else { return false }
        return access(text, F_OK) == 0
    }

    /// Reads the whole input.
    ///
    /// - Parameter io: The descriptors to use.
    /// - Returns: The UTF-8 bytes of an argument, or the contents of a file.
    /// - Throws: ``CommandError`` if the input cannot be read or is too large.
    func read(_ io: CommandIO) throws(CommandError) -> Data {
        switch self {
        case .argument(let text): Data(text.utf8)
        case .file(let path): try Self.readFile(path)
        case .standardInput: try readAll(io.input, name: name)
        }
    }

    private static func readFile(_ path: String) throws(CommandError) -> Data {
        guard let file = SystemFile(path, O_RDONLY) else { throw .cannotRead(path, errno) }
        let status = file.status
        if status.st_mode.isDirectory { throw .cannotRead(path, EISDIR) }
        if status.st_mode.isRegularFile, status.st_size > limit { throw .tooLarge("“\(path)”", limit: limit) }
        return try readAll(file.descriptor, name: "“\(path)”")
    }

    /// Reads a model in JSON.
    ///
    /// - Parameter io: The descriptors to use.
    /// - Returns: The model.
    /// - Throws: ``CommandError`` if the input cannot be read, or if it is a Core Data model or a database, and
    ///   `StoreError` if the model is invalid.
    func readModel(_ io: CommandIO) throws -> Model {
        if case .file(let path) = self, CoreDataModelFile.isModel(path) { throw CommandError.notJSON(name) }
        let bytes = try read(io)
        if bytes.starts(with: Data("SQLite format 3\0".utf8)) { throw CommandError.notJSON(name) }
        return try Model(json: bytes)
    }
}

extension CommandError {
    /// The error for a model in a form that the command for conversions reads.
    fileprivate static func notJSON(_ name: String) -> Self {
        Self(.badInput, "\(name) is not a model in JSON; convert it with “model convert”")
    }
}

/// The source of a value that is not an argument.
struct InputOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Read the value from this file; “-” is standard input.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    /// Returns the source of the value.
    ///
    /// - Parameters:
    ///   - argument: The argument, if one was given.
    ///   - io: The descriptors to use.
    /// - Returns: The source.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if there is no source, or more than one.
    func source(argument: String?, _ io: CommandIO) throws(CommandError) -> InputSource {
        switch (argument, file) {
        case (_?, _?): throw CommandError(.usage, "the value is given twice: as an argument and with --in")
        case ("-", _), (_, "-"): return .standardInput
        case (let argument?, _): return .argument(argument)
        case (_, let file?): return .file(file)
        case (nil, nil):
            guard !io.isInputTerminal else {
                throw CommandError(
                    .usage,
                    "there is no value; give it as an argument, with --in FILE, or on standard input (-)"
                )
            }
            return .standardInput
        }
    }
}
