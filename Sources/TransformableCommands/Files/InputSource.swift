internal import Foundation

/// Where a value comes from.
enum InputSource: Equatable {
    case argument(String)
    case file(String)
    case standardInput

    /// The most bytes that are read into memory: 1 GiB.
    static let limit = 1 << 30

    /// How a message calls it.
    var name: String {
        switch self {
        case .argument: "the value"
        case .file(let path): "“\(path)”"
        case .standardInput: "standard input"
        }
    }

    /// Whether the text was piped, so that a line's end belongs to the pipe and not to the value.
    var isStream: Bool { self == .standardInput }

    /// Reads all of it.
    ///
    /// - Parameter io: Where standard input is.
    /// - Returns: An argument's UTF-8, or a file's bytes.
    /// - Throws: ``CommandError``.
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
}
