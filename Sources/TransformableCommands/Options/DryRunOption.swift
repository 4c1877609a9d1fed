internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// Whether to roll a change back.
struct DryRunOption: ParsableArguments {
    @Flag(help: "Show what would change, without changing anything.")
    var dryRun = false

    /// Changes a store in a single transaction.
    ///
    /// With --dry-run, the transaction is rolled back and its changes are printed.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - session: The session.
    ///   - body: A closure that changes objects.
    /// - Returns: The result of `body`, or nil if the transaction was rolled back.
    /// - Throws: `StoreError` or ``CommandError`` if the change fails, and any error thrown by `body`.
    func write<Result: Sendable>(
        to store: Store,
        _ session: Session,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result? {
        guard dryRun else { return try store.write(body) }
        try session.print(store.rehearse(body).changes.summary)
        return nil
    }
}

extension ChangeSet {
    /// Lines that say how many objects of each entity would be inserted, updated, and deleted.
    fileprivate var summary: String {
        let parts = [("insert", Array(inserted)), ("change", Array(updated.keys)), ("delete", Array(deleted))]
        let lines = parts.flatMap { verb, ids in
            Dictionary(grouping: ids, by: \.entity).sorted { $0.key < $1.key }
                .map { "would \(verb) \($0.value.count.counted("object")) of \($0.key)" }
        }
        return lines.isEmpty ? "nothing would change" : lines.joined(separator: "\n")
    }
}
