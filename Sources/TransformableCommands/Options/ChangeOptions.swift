internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// Whose objects a command changes, and whether to roll the change back.
struct ChangeOptions: ParsableArguments {
    @Flag(help: "Show what would change, without changing anything.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "The tenant whose objects to change, or “shared” for shared objects. Required if the model has tenants.",
            valueName: "number"
        )
    )
    var tenant: TenantChoice?

    func validate() throws {
        guard tenant != .all else { throw ValidationError("--tenant all is only for commands that read") }
    }

    /// Changes a store in a single transaction.
    ///
    /// With --dry-run, the transaction is rolled back and its changes are printed.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - session: The session.
    ///   - isRepeatable: Whether the closure can run again, as it must if another program changes the same database on a
    ///     server at the same time. It cannot if it reads standard input.
    ///   - body: A closure that changes objects.
    /// - Returns: The result of `body`, or nil if the transaction was rolled back.
    /// - Throws: `StoreError` or ``CommandError`` if the change fails, and any error thrown by `body`.
    func write<Result: Sendable>(
        to store: Store,
        _ session: Session,
        isRepeatable: Bool = true,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result? {
        let choice = try TenantChoice.checked(tenant, for: store)
        var hasBegun = false
        func change(_ context: StoreContext) throws -> Result {
            if hasBegun, !isRepeatable { throw CommandError.interfered }
            hasBegun = true
            return try body(context)
        }
        guard dryRun else { return try choice.write(store, change) }
        try session.print(choice.rehearse(store, change).changes.summary)
        return nil
    }
}

extension CommandError {
    fileprivate static let interfered = Self(
        .busy,
        "another program changed the store at the same time, so nothing was changed; run the command again"
    )
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
