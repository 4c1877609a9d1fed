public import TransformableStore

/// A store after a migration.
///
/// Its file is removed when the object is deallocated.
public final class MigratedStore {
    /// The store, opened with the new model.
    public let store: Store
    /// A report about the migrated data.
    public let report: MigrationReport
    private let folder: StoreFolder

    init(store: Store, report: MigrationReport, folder: StoreFolder) {
        self.store = store
        self.report = report
        self.folder = folder
    }

    deinit {
        try? store.close()
    }
}

@available(*, unavailable)
extension MigratedStore: Sendable {}
