internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// Whether a change is only tried.
struct DryRunOption: ParsableArguments {
    @Flag(help: "Say what would change, and change nothing.")
    var dryRun = false

    /// Changes a store in one transaction; with --dry-run, takes it back and says what would have changed.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - session: The run.
    ///   - body: Changes objects.
    /// - Returns: What the body gives; nil if nothing has changed.
    /// - Throws: `StoreError`, ``CommandError``, and what the body throws.
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
    /// Lines that say how many objects of which entity would be inserted, changed and deleted.
    fileprivate var summary: String {
        let parts = [("insert", Array(inserted)), ("change", Array(updated.keys)), ("delete", Array(deleted))]
        let lines = parts.flatMap { verb, ids in
            Dictionary(grouping: ids, by: \.entity).sorted { $0.key < $1.key }
                .map { "would \(verb) \($0.value.count.counted("object")) of \($0.key)" }
        }
        return lines.isEmpty ? "nothing would change" : lines.joined(separator: "\n")
    }
}
