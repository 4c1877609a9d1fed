internal import GRDB

extension Store {
    /// Runs the steps between the version that a file had and the one that it has now, in the transaction that
    /// brought it there.
    ///
    /// The store is there for its steps only; the one that is opened comes after them.
    func run(_ steps: [MigrationStep], from old: Metadata, on database: Database) throws {
        let wanted = steps.filter { $0.from >= old.model.version && $0.to <= schema.model.version }
        for step in wanted.sorted(by: { $0.from < $1.from }) {
            try StoreContext.migrate(self, on: database) { context in
                try step.body(MigrationContext(context, from: old, registry: registry, on: database))
            }
        }
        guard try SQLStatement.rows("PRAGMA foreign_key_check", count: 1, on: database).isEmpty else {
            throw StoreError(.danglingReference, "after the migration objects would refer to others that do not exist")
        }
    }
}
