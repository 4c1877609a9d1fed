public import Foundation

extension Store {
    /// Imports what ``export(to:contents:)`` has written, into a store that has the same model and no objects.
    ///
    /// Objects keep their numbers, their order, and their relationships. Numbers are not reused. Values without a text
    /// form are stored as the bytes in the export, so a picture is not encoded again. Exporting the store afterward
    /// produces the same files, byte for byte.
    ///
    /// Rows are written unchanged, including derived attributes, such as the date of the last change. Defaults are not
    /// filled in, values that break a rule of the model are kept, and ``EntityHooks/didSave`` is the only hook that runs. Observers are notified of the import, but not of
    /// each object. Only files with the names that an export uses are read, and symbolic links are not followed. Either
    /// everything is inserted, or nothing.
    ///
    /// The bytes of values that the export could not read are stored unchanged if they have the same meaning in any
    /// store. Sealed bytes do not: without their key, they could not be opened in another store either.
    ///
    /// - Parameters:
    ///   - folder: The folder of the export.
    ///   - skippingUnreadable: Whether to skip values that cannot be stored, instead of failing.
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
