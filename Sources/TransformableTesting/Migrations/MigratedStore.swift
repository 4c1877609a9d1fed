public import TransformableStore

/// A store that a migration has brought to another version; its file goes with it.
public final class MigratedStore {
    /// The store, open by the new model.
    public let store: Store
    /// What became of its data.
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
