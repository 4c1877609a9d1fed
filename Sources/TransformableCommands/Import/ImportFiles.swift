internal import Foundation
internal import Transformable
internal import TransformableSQLite
internal import TransformableStore

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

    /// Returns the contents of a file that a line of an export names in place of bytes, or nil if the text names none.
    ///
    /// - Parameter cell: The text of a cell, such as `{"file":"Patient/7.scan"}`.
    /// - Returns: The file's contents.
    /// - Throws: ``CommandError`` if the file cannot be read or lies outside the folder.
    func exported(_ cell: String) throws(CommandError) -> Data? {
        try Self.exportedPath(cell).map { path throws(CommandError) in try read(path) }
    }

    private static func exportedPath(_ cell: String) -> String? {
        guard let members = fileMembers(cell), members.count == 1 else { return nil }
        return members[0].text
    }

    /// Returns a Boolean value that indicates whether a cell is what an export writes for a value that it could not
    /// read, such as `{"file":"Patient/7.ssn","failure":"missing-key"}`.
    ///
    /// The file contains the stored bytes. If they could not be read either, the file is null.
    static func isUnreadable(_ cell: String) -> Bool {
        guard let members = fileMembers(cell), members.map(\.name) == ["file", "failure"] else { return false }
        guard let path = members[0].text?.utf8 else { return true }
        let file = path.drop { $0 != UInt8(ascii: "/") }.dropFirst()
        let rest = file.drop { (0x30...0x39).contains($0) }
        return rest.count < file.count && rest.first == UInt8(ascii: ".")
    }

    /// Returns the one or two members of an object that begins with `file`, or nil for any other text.
    private static func fileMembers(_ cell: String) -> [(name: String, text: String?)]? {
        guard cell.utf8.first == UInt8(ascii: "{") else { return nil }
        do throws(JSONFault) {
            var members = JSONMembers(ArraySlice(cell.utf8))
            var found: [(name: String, text: String?)] = []
            while let member = try members.next() {
                found.append(member)
                guard found[0].name == "file", found.count <= 2 else { return nil }
            }
            return found
        } catch {
            return nil
        }
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

/// Imports a folder that `store export` wrote.
struct FolderImport {
    let folder: String
    let skipsUnreadable: Bool
    let requiresManifest: Bool
    let session: Session

    /// Imports the folder into a store, whose file is created if it does not exist.
    ///
    /// - Parameters:
    ///   - file: The store.
    ///   - keys: The keys.
    /// - Throws: `StoreError`, ``CommandError``, and any error thrown while the registry is created.
    func run(into file: StoreArgument, _ keys: some KeySource) throws {
        let registry = try keys.registry(session)
        let report: ImportReport
        if case .file(let path) = try file.address, access(path, F_OK) != 0 {
            report = try make(URL(filePath: path), registry)
        } else {
            report = try file.change(registry) { try read(into: $0) }
        }
        let skipped = report.skippedCount
        if skipped > 0 {
            session.tell(
                "note: \(skipped.counted("value")) could not be read and \(skipped == 1 ? "was" : "were") skipped"
            )
        }
        let (objects, files) = (report.objectCount.counted("object"), report.fileCount.counted("file"))
        try session.print(saved: "imported \(objects) and \(files) into “\(file.store)”")
    }

    private func read(into store: Store) throws -> ImportReport {
        var progress = Progress(session, besideResult: true)
        defer { progress.end() }
        let url = URL(filePath: folder, directoryHint: .isDirectory)
        do {
            return try store.importExport(
                from: url,
                skippingUnreadable: skipsUnreadable,
                requiringManifest: requiresManifest
            ) { progress.show($0) }
        } catch let error as StoreError where error.code == .unknownAttribute || error.code == .unknownEntity {
            // A name in the export is data, not an argument.
            throw CommandError(.badInput, ErrorLine.sentence(for: error))
        }
    }

    /// Creates the store once everything has been imported.
    private func make(_ url: URL, _ registry: TransformerRegistry) throws -> ImportReport {
        guard access(folder, F_OK) == 0 else { throw CommandError.cannotRead(folder, errno) }
        let path = "\(folder)/model.json"
        guard access(path, F_OK) == 0 else {
            throw CommandError(.noInput, "“\(folder)” is not an export: it contains no “model.json”")
        }
        let model = try InputSource.file(path).readModel(session.io)
        return try Store.create(
            at: url,
            model: model,
            transformers: registry,
            watch: session.temporaryFiles
        ) { try read(into: $0) }
    }
}
