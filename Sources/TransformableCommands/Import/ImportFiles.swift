internal import Foundation

/// The files that rows refer to as `@path` in place of a value.
struct ImportFiles: Sendable {
    /// The folder that paths are relative to, and that they cannot leave.
    let folder: String
    /// Whether text attributes can also refer to files.
    ///
    /// If so, `@@` stands for an `@` at the beginning of the text.
    let readsTexts: Bool

    /// Returns the file that a cell refers to, or the cell's text.
    ///
    /// - Parameters:
    ///   - cell: The text of a cell.
    ///   - isText: Whether the attribute's values have a text form.
    /// - Returns: The cell's value.
    /// - Throws: ``CommandError`` if the file cannot be read or lies outside the folder.
    func value(_ cell: String, isText: Bool) throws(CommandError) -> Value {
        // A combining mark after “@” belongs to the text or the path.
        let rest = cell.unicodeScalars.dropFirst()
        guard cell.unicodeScalars.first == "@", readsTexts || !isText else { return .text(cell) }
        if isText, rest.first == "@" { return .text(String(rest)) }
        return .contents(try read(String(rest)))
    }

    /// The value of a cell.
    enum Value {
        case text(String)
        case contents(Data)
    }

    private func read(_ path: String) throws(CommandError) -> Data {
        // The system would end the path there.
        guard !path.utf8.contains(0) else { throw CommandError(.badInput, "the path “@\(path)” contains a NUL") }
        let place = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        guard let root = Self.resolved(folder) else { throw .cannotRead(folder, errno) }
        guard let target = Self.resolved(place) else { throw .cannotRead(place, errno) }
        guard target.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw CommandError(
                .badInput,
                "“@\(path)” is not in the folder “\(folder)”; specify the folder that contains it with --files"
            )
        }
        // A pipe or a device could block the import.
        guard let file = SystemFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { throw .cannotRead(place, errno) }
        guard file.status.st_mode.isRegularFile else {
            throw CommandError(.badInput, "“@\(path)” is not a regular file")
        }
        return try readAll(file.descriptor, name: "“\(place)”")
    }

    /// Returns the path with symbolic links and dots resolved, or nil, with `errno` set, if it leads nowhere.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
