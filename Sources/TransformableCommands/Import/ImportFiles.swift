internal import Foundation

/// The files that rows name as `@path` in place of a value.
struct ImportFiles: Sendable {
    /// The folder that paths are relative to, and do not lead out of.
    let folder: String
    /// Whether values of attributes with text name files, too, so that `@@` is an `@` that begins a text.
    let readsTexts: Bool

    /// The file that a cell names, or the text that it is.
    ///
    /// - Parameters:
    ///   - cell: The text of a cell.
    ///   - isText: Whether the attribute's values have a text.
    /// - Returns: The cell's value.
    /// - Throws: ``CommandError``: the file cannot be read, or lies elsewhere.
    func value(_ cell: String, isText: Bool) throws(CommandError) -> Value {
        guard cell.first == "@", readsTexts || !isText else { return .text(cell) }
        if isText, cell.hasPrefix("@@") { return .text(String(cell.dropFirst())) }
        return .contents(try read(String(cell.dropFirst())))
    }

    /// What a cell holds.
    enum Value {
        case text(String)
        case contents(Data)
    }

    private func read(_ path: String) throws(CommandError) -> Data {
        let place = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        guard let root = Self.resolved(folder) else { throw .cannotRead(folder, errno) }
        guard let target = Self.resolved(place) else { throw .cannotRead(place, errno) }
        guard target.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw CommandError(
                .badInput,
                "“@\(path)” is not in the folder “\(folder)”; name one that it is in with --files"
            )
        }
        // Neither a pipe nor a device must hold the import up.
        guard let file = SystemFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { throw .cannotRead(place, errno) }
        guard file.status.st_mode.isRegularFile else {
            throw CommandError(.badInput, "“@\(path)” does not name a file with bytes of its own")
        }
        return try readAll(file.descriptor, name: "“\(place)”")
    }

    /// A path without links and dots; nil with `errno` set if it leads nowhere.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
