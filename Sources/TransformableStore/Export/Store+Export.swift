public import Foundation

extension Store {
    /// Exports the store as JSON and plain files, from one snapshot.
    ///
    /// For each entity, there is a file such as `Patient.jsonl` with one object per line and its number as `_id`. A
    /// value without a text form is in a file of its own, such as `Patient/7.portrait`. So are the stored bytes of
    /// values that cannot be decoded, which are listed in ``ExportReport/failuresFile`` with the reason. Sealed values
    /// are exported unencrypted if their key is available. There is also a file for each many-to-many relationship: each line of
    /// `Patient.doctors.jsonl` names an object and a related object, in order. If the names are too long for that, the
    /// file is `Patient/doctors.jsonl`. The model is in `model.json`. The content is counted in `export.json`, which is
    /// written last. To import all of it, call
    /// ``importExport(from:skippingUnreadable:requiringManifest:progress:)``.
    ///
    /// Until the export is complete, it is in another folder in the same location that only its owner can access. If a
    /// process is killed, the next export or copy at the same location removes what was left behind. All files are on
    /// disk before the folder appears, so a power failure does not truncate them.
    ///
    /// - Parameters:
    ///   - folder: A folder, which must not exist. It appears as a whole or not at all. No file is replaced, even one
    ///     that appears while the store is being exported.
    ///   - contents: What to export.
    /// - Returns: What was exported.
    /// - Throws: `StoreError` with the code `file-exists`, `cannot-create`, `disk-full`, or `input-output`, or with the
    ///   code `access-denied` if row-level security of a server may hide rows. If the folder has appeared, but may be
    ///   missing after a power failure, the code is `input-output`, and the message says so.
    @discardableResult
    public func export(to folder: URL, contents: ExportContents = .everything) throws -> ExportReport {
        try export(to: folder, contents: contents, watch: nil)
    }

    /// Exports the store.
    ///
    /// - Parameters:
    ///   - folder: A folder, which must not exist.
    ///   - contents: What to export.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    /// - Returns: What was exported.
    /// - Throws: `StoreError` if the export cannot be made.
    package func export(
        to folder: URL,
        contents: ExportContents,
        watch: (any WorkingFolderWatch)?
    ) throws -> ExportReport {
        let path = folder.standardizedFileURL.path
        let working = try NewFile.folder(for: [path], watch: watch)
        return try NewFile.build(path, in: working) {
            let report = try read(in: wholeScope) { context in
                defer { context.failures.forgetRecorded() }
                var exporter = try Exporter(context, contents, to: working.result)
                return try exporter.run()
            }
            try NewFile.publish(working, as: path)
            return report
        }
    }
}

extension Store {
    /// Imports what ``export(to:contents:)`` has written, into a store that has the same model and no objects.
    ///
    /// Objects keep their numbers, their order, and their relationships. Numbers are not reused. Values without a text
    /// form are stored as the bytes in the export, so a picture is not encoded again. Exporting the store afterward
    /// produces the same files, byte for byte.
    ///
    /// Rows are written unchanged, including derived attributes, such as the date of the last change. Defaults are not
    /// filled in, values that break a rule of the model are kept, and ``EntityHooks/didSave`` is the only hook that
    /// runs. Observers are notified of the import, but not of each object. Only files with the names that an export
    /// uses are read, and symbolic links are not followed. Either everything is inserted, or nothing.
    ///
    /// The bytes of values that the export could not read are stored unchanged if they have the same meaning in any
    /// store. Sealed bytes do not: without their key, they could not be opened in another store either. The bytes
    /// of a damaged external file are not stored, because they would count as undamaged.
    ///
    /// - Parameters:
    ///   - folder: The folder of the export.
    ///   - skippingUnreadable: Whether to skip values that cannot be stored, instead of failing. The value of a required
    ///     attribute cannot be skipped.
    ///   - requiringManifest: Whether an export without the file `export.json` is refused. That file counts everything
    ///     else, so that missing parts are noticed. Earlier versions did not write it.
    ///   - progress: A closure that is called with the number of objects written so far. If it throws an error, the
    ///     import ends.
    /// - Returns: What was inserted.
    /// - Throws: `StoreError` with the code `no-such-file` or `invalid-value` if a part of
    ///   the export is missing or invalid, with the code `model-mismatch` if the model differs, with
    ///   the code `misuse` if the store has objects, with the code `undecodable` if the export could
    ///   not read a value, with the code `limit-exceeded` if the export states a number that leaves too few for new
    ///   objects, or with the code `newer-format`.
    @discardableResult
    public func importExport(
        from folder: URL,
        skippingUnreadable: Bool = false,
        requiringManifest: Bool = true,
        progress: ((_ count: Int) throws -> Void)? = nil
    ) throws -> ImportReport {
        let path = folder.standardizedFileURL.path
        return try write(in: schema.model.hasTenants ? .importing : .undivided, for: .importing) { context in
            var reader = try ExportReader(
                context,
                from: path,
                skippingUnreadable: skippingUnreadable,
                requiringManifest: requiringManifest
            )
            return try reader.run(progress)
        }
    }
}

/// The result of an export.
public struct ExportReport: Sendable, Hashable {
    /// The number of objects.
    public internal(set) var objectCount = 0
    /// The number of files with the bytes of one value.
    public internal(set) var fileCount = 0
    /// The number of values that could not be decoded, or that have no text form although their transformer defines one.
    ///
    /// If they have stored bytes, these are in files.
    public internal(set) var undecodableCount = 0
    /// The number of these values that could not be opened, because their key is not available or has been retired, or
    /// because a different key sealed them.
    public internal(set) var unopenedCount = 0
    /// The name of the file in the export that lists the values that could not be decoded.
    ///
    /// Without such values, there is no such file.
    public internal(set) var failuresFile = "failures.jsonl"
}

/// The content of an export.
public enum ExportContents: Sendable {
    /// All objects and values.
    case everything
    /// Only the bytes of values that cannot be decoded.
    case undecodable
}

/// The result of an import.
public struct ImportReport: Sendable, Hashable {
    /// Creates the report of an import that has inserted nothing.
    public init() {}

    /// The number of objects.
    public var objectCount: Int { objects.values.reduce(0, +) }
    /// The number of files with the bytes of one value that were read.
    public internal(set) var fileCount = 0
    /// The number of skipped values that the export could not read.
    public internal(set) var skippedCount = 0
    /// The number of objects, by entity.
    var objects: [String: Int] = [:]
    /// The number of references in each many-to-many relationship, by the names of its entity and the relationship.
    var references: [String: Int] = [:]
}
