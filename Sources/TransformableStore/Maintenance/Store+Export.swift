public import Foundation

extension Store {
    /// Writes the store out as JSON and plain files, in one snapshot.
    ///
    /// For each entity there is a file `Patient.jsonl` with an object on a line, its number under `_id`. What
    /// has no text lies in a file of its own, `Patient/7.portrait`, and so do the bytes of values that
    /// cannot be decoded, as they are stored; these are listed in `failures.jsonl` with the reason. Values
    /// that were sealed come out in the clear where their key is here. A relationship from many to many has a
    /// file, too: in `Patient.doctors.jsonl` a line names an object and one that it leads to, in their order. The model
    /// is `model.json`; what there is to be found is counted in `export.json`, which is written last.
    /// ``importExport(from:skippingUnreadable:progress:)`` reads it all back.
    ///
    /// Until the folder has its name, it lies in another one beside it that only its owner can enter; what a killed
    /// process left of one, the next export or copy beside it removes.
    ///
    /// - Parameters:
    ///   - folder: A folder that must not be there; it appears whole or not at all.
    ///   - contents: What is written.
    /// - Returns: What was written.
    /// - Throws: ``StoreError``: ``StoreError/Code/fileExists``, ``StoreError/Code/cannotCreate``,
    ///   ``StoreError/Code/diskFull`` or ``StoreError/Code/inputOutput``.
    @discardableResult
    public func export(to folder: URL, contents: ExportContents = .everything) throws -> ExportReport {
        try export(to: folder, contents: contents, watch: nil)
    }

    /// Writes the store out.
    ///
    /// - Parameters:
    ///   - folder: A folder that must not be there.
    ///   - contents: What is written.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    /// - Returns: What was written.
    /// - Throws: ``StoreError``.
    package func export(
        to folder: URL,
        contents: ExportContents,
        watch: (any InterruptionWatch)?
    ) throws -> ExportReport {
        let path = folder.standardizedFileURL.path
        let working = try NewFile.folder(for: path, watch: watch)
        let report = try read { context in
            defer { context.forgetFailures() }
            var exporter = try Exporter(context, contents, to: working.result)
            return try exporter.run()
        }
        try NewFile.publish(working, as: path)
        return report
    }
}
