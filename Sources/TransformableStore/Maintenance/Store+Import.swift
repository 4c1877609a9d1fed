public import Foundation

extension Store {
    /// Reads back what ``export(to:contents:)`` has written, into a store of the same model that has no objects yet.
    ///
    /// Objects keep their numbers, their order and what they lead to; a number that was given to an object once is not
    /// given again. What has no text is stored as the export has its bytes: a picture is not encoded again. Exporting
    /// the store afterwards gives the same files, byte for byte.
    ///
    /// Rows are written as they were: no default is filled in, and of the ``EntityHooks`` none runs but
    /// ``EntityHooks/didSave``. Only files under the names that an export gives them are read, and no symbolic
    /// links. All is inserted, or nothing.
    ///
    /// Bytes of values that the export could not read are stored as they are where they mean the same in any store.
    /// Those that were sealed do not: without the key, they do not open in another store either.
    ///
    /// - Parameters:
    ///   - folder: The export.
    ///   - skippingUnreadable: Leaves out values of which nothing can be stored, instead of failing.
    ///   - progress: Is told how many objects are written; an error that it throws ends the import.
    /// - Returns: What was inserted.
    /// - Throws: ``StoreError``: ``StoreError/Code/noSuchFile`` or ``StoreError/Code/invalidValue`` for a part that is
    ///   missing or not what an export writes, ``StoreError/Code/modelMismatch``, ``StoreError/Code/misuse`` if there are
    ///   objects already, ``StoreError/Code/undecodable`` for a value that the export could not read, and
    ///   ``StoreError/Code/newerFormat``.
    @discardableResult
    public func importExport(
        from folder: URL,
        skippingUnreadable: Bool = false,
        progress: ((_ count: Int) throws -> Void)? = nil
    ) throws -> ImportReport {
        let path = folder.standardizedFileURL.path
        return try write { context in
            var reader = try ExportReader(context, from: path, skippingUnreadable: skippingUnreadable)
            return try reader.run(progress)
        }
    }
}
