public import Foundation

extension Store {
    /// Exports the store as JSON and plain files, from one snapshot.
    ///
    /// For each entity, there is a file such as `Patient.jsonl` with one object per line and its number as `_id`. A
    /// value without a text form is in a file of its own, such as `Patient/7.portrait`. So are the stored bytes of
    /// values that cannot be decoded, which are listed in ``ExportReport/failuresFile`` with the reason. Sealed values
    /// are exported unencrypted if their key is available. There is also a file for each many-to-many relationship: each line of
    /// `Patient.doctors.jsonl` names an object and a related object, in order. The model is in `model.json`. The
    /// content is counted in `export.json`, which is written last. To import all of it, call
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
