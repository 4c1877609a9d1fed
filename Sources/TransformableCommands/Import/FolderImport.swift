internal import Foundation
internal import Transformable
internal import TransformableSQLite
internal import TransformableStore

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
        let path = "\(folder)/model.json"
        guard access(path, F_OK) == 0 else {
            throw CommandError(.noInput, "“\(folder)” is not an export: it contains no “model.json”")
        }
        let model = try Model(json: InputSource.file(path).read(session.io))
        return try Store.create(
            at: url,
            model: model,
            transformers: registry,
            watch: session.temporaryFiles
        ) { try read(into: $0) }
    }
}
