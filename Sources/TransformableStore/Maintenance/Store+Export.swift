public import Foundation

extension Store {
    /// Writes the store out as JSON and plain files, in one snapshot.
    ///
    /// For each entity there is a file `Patient.jsonl` with an object on a line, its number under `_id`. What
    /// has no text lies in a file of its own, `Patient/7.portrait`, and so do the bytes of values that
    /// cannot be decoded, as they are stored; these are listed in `failures.jsonl` with the reason. Values
    /// that were sealed come out in the clear where their key is here. A relationship from many to many has a
    /// file, too: in `Patient.doctors.jsonl` a line names an object and one that it leads to, in their order.
    ///
    /// - Parameters:
    ///   - folder: A folder that must not be there; it appears whole or not at all.
    ///   - contents: What is written.
    /// - Returns: What was written.
    /// - Throws: ``StoreError``: ``StoreError/Code/fileExists``, ``StoreError/Code/cannotCreate``,
    ///   ``StoreError/Code/diskFull`` or ``StoreError/Code/inputOutput``.
    @discardableResult
    public func export(to folder: URL, contents: ExportContents = .everything) throws -> ExportReport {
        let path = folder.standardizedFileURL.path
        try NewFile.check(path)
        let temporary = "\(path).\(UUID().uuidString)"
        do {
            let report = try read { context in
                defer { context.forgetFailures() }
                var exporter = try Exporter(context, contents, to: temporary)
                return try exporter.run()
            }
            try FileSystem.rename(temporary, to: path)
            return report
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }
}
