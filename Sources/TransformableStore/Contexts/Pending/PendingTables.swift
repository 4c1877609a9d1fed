internal import Synchronization

/// The temporary tables with the pending changes of a context for editing, or of a block whose hooks run.
///
/// They are kept between fetches, and each fetch applies the changes since the previous one.
///
/// For a context for editing a file, the tables are on a separate connection that is used only for this purpose. A
/// store in memory has a single connection, so the names of the tables distinguish them from those of other contexts.
final class PendingTables {
    /// What the tables know of an object.
    struct Mark {
        /// Whether the object has changed since the tables were updated.
        fileprivate(set) var isOutOfDate = false
    }

    private static let lastNumber = Atomic<Int>(0)

    private let store: Store
    /// The connection with the tables, or `nil` for that of a block or the only one of a store in memory.
    let connection: (any Engine)?
    private let prefix: String
    // The existing tables, and the statements that create their views, or `nil` before the first fetch.
    private var views: [TableName: String]?
    // The version of the store's data when rows were copied from it.
    private var version: Int64?
    // The objects that have changed since the tables were updated.
    private var objects: [ManagedObject] = []
    private var pairs: Set<PairEdits.Key> = []

    /// - Throws: `StoreError` if the file cannot be opened again.
    init(_ store: Store, inBlock: Bool) throws {
        self.store = store
        connection = inBlock ? nil : try store.makeReader()
        prefix = "_pending.\(Self.lastNumber.add(1, ordering: .relaxed).newValue)."
    }

    deinit {
        guard let views, connection == nil else { return }
        let (name, tables) = (prefix, Array(views.keys))
        store.engine.enqueue { database in
            try? PendingView.drop(name, tables, on: database)
        }
    }

    /// Records that an object has changed.
    func note(_ object: ManagedObject) {
        guard !object.tableMark.isOutOfDate else { return }
        object.tableMark.isOutOfDate = true
        objects.append(object)
    }

    /// Records that the edit of a pair has changed.
    func note(_ key: PairEdits.Key) {
        pairs.insert(key)
    }

    /// Updates the tables.
    func follow(_ context: StoreContext, _ database: any EngineConnection) throws -> PendingView {
        var view = PendingView(context: context, database: database, prefix: prefix, views: views ?? [:])
        let isFirst = views == nil
        let current = try version(on: database)
        try database.keeping {
            let objects = isFirst ? context.work.changed : outOfDate(context, isCopied: current == version)
            try view.lay(objects, isNew: isFirst)
            let edits = (isFirst ? Array(context.work.pairs.edits.keys) : Array(pairs))
                .map { ($0, context.work.pairs[$0]) }
            try view.lay(Dictionary(edits) { first, _ in first }, isNew: isFirst)
        }
        views = view.views
        version = current
        forget()
        return view
    }

    /// Returns the objects whose rows in the tables are out of date.
    private func outOfDate(_ context: StoreContext, isCopied: Bool) -> [ManagedObject] {
        guard !isCopied || context.work.isWatching else { return objects }
        // Commits of others may be in copied rows, and in-place changes of values go unnoticed.
        let others = context.work.changed.filter { object in
            !object.tableMark.isOutOfDate && (object.isWatched || !isCopied && object.state == .stored)
        }
        return objects + others
    }

    /// Returns a number that changes whenever someone else commits.
    private func version(on database: any EngineConnection) throws -> Int64 {
        guard connection != nil, let embedded = database.embedded else { return Int64(store.commitCount) }
        return try embedded.dataVersion()
    }

    /// Drops the tables of a block.
    func drop(on database: any EngineConnection) throws {
        guard let views else { return }
        try PendingView.drop(prefix, views.keys, on: database)
        self.views = nil
    }

    /// Forgets which objects have changed.
    func forget() {
        for object in objects { object.tableMark.isOutOfDate = false }
        objects = []
        pairs = []
    }
}

@available(*, unavailable)
extension PendingTables: Sendable {}

extension StoreContext {
    /// Whether the tables of pending changes are kept between fetches.
    var keepsPendingTables: Bool { isEditing ? !connection.isConnected : saving.phase == .preparing }

    /// Returns the tables of pending changes, or `nil` if the file cannot be opened again, in which case each fetch
    /// creates its own.
    func reachPendingTables() -> PendingTables? {
        if work.tables == nil, let tables = try? PendingTables(store, inBlock: !isEditing) { work.keepTables(tables) }
        return work.tables
    }

    /// Discards the tables when nothing is pending anymore.
    func forgetPendingTables() {
        guard let tables = work.takeTables(), !isEditing else { return }
        Interruption.ignored { try? tables.drop(on: database()) }
    }
}

extension Store {
    /// Opens the file again for reading, or returns `nil` for a store in memory.
    fileprivate func makeReader() throws -> (any Engine)? {
        try requireOpen()
        guard let reader = try engine.makeReader() else { return nil }
        readers.withLock { list in
            list.removeAll { $0.engine == nil }
            list.append(WeakEngine(engine: reader))
        }
        // Whoever closed the store in the meantime may not have seen this connection.
        try requireOpen()
        return reader
    }
}

/// A weak reference to a connection that a context has opened for itself.
struct WeakEngine: Sendable {
    weak let engine: (any Engine)?
}
