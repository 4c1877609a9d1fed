internal import GRDB
internal import Synchronization

/// The temporary tables with what is pending in a context for editing, which last from one fetch to the next: each
/// fetch brings them up to date with what has changed since the one before.
///
/// Those of a file are on a connection of their own, which nobody else reads through. A store in memory has one
/// connection, where the tables' names keep them apart from those of other contexts.
final class PendingTables {
    private static let lastNumber = Atomic<Int>(0)

    private let store: Store
    /// The connection that has them; nil for the only one of a store in memory.
    let connection: DatabaseQueue?
    private let prefix: String
    // The tables that there are, and the statements that make their views; nil before the first fetch.
    private var views: [String: String]?
    // What was committed to the store when rows were copied from it.
    private var version: Int64?
    // What has changed since they were brought up to date.
    private var objects: [ManagedObject] = []
    private var pairs: Set<PairEdits.Key> = []

    /// - Throws: ``StoreError`` if the file cannot be opened once more.
    init(_ store: Store) throws {
        self.store = store
        connection = try store.makeReadingConnection()
        prefix = "_pending.\(Self.lastNumber.add(1, ordering: .relaxed).newValue)."
    }

    deinit {
        guard let views, connection == nil else { return }
        let (name, tables) = (prefix, Array(views.keys))
        store.database.asyncWriteWithoutTransaction { database in
            try? Overlay.drop(name, tables, on: database)
        }
    }

    /// Notes that an object has changed.
    func note(_ object: ManagedObject) {
        guard !object.isOutOfDate else { return }
        object.isOutOfDate = true
        objects.append(object)
    }

    /// Notes that what becomes of a pair has changed.
    func note(_ key: PairEdits.Key) {
        pairs.insert(key)
    }

    /// Brings the tables up to date.
    func follow(_ context: StoreContext, _ database: Database) throws -> Overlay {
        var overlay = Overlay(context: context, database: database, prefix: prefix, views: views ?? [:])
        let isFirst = views == nil
        let current = try version(on: database)
        try database.keeping {
            let objects = isFirst ? context.changed : outOfDate(context, isCopied: current == version)
            try overlay.lay(objects, isNew: isFirst)
            let edits = (isFirst ? Array(context.pairs.edits.keys) : Array(pairs)).map { ($0, context.pairs[$0]) }
            try overlay.lay(Dictionary(edits) { first, _ in first }, isNew: isFirst)
        }
        views = overlay.views
        version = current
        forget()
        return overlay
    }

    /// The objects whose rows in the tables are not what they should be.
    private func outOfDate(_ context: StoreContext, isCopied: Bool) -> [ManagedObject] {
        // What others have committed may be in rows that were copied, and nobody hears of a change within a value.
        let others = context.changed.filter { object in
            !object.isOutOfDate && (object.isWatched || !isCopied && object.state == .stored)
        }
        return objects + others
    }

    /// What changes whenever somebody else commits.
    private func version(on database: Database) throws -> Int64 {
        guard connection != nil else { return Int64(store.commitCount) }
        return try SQLStatement.integer("PRAGMA data_version", on: database)
    }

    /// Forgets what has changed.
    func forget() {
        for object in objects { object.isOutOfDate = false }
        objects = []
        pairs = []
    }
}

@available(*, unavailable)
extension PendingTables: Sendable {}

extension StoreContext {
    /// The tables of what is pending; nil if the file cannot be opened once more, and each fetch makes its own.
    func reachPendingTables() -> PendingTables? {
        if pendingTables == nil { pendingTables = try? PendingTables(store) }
        return pendingTables
    }

    /// Forgets the tables, as nothing is pending any more.
    func forgetPendingTables() {
        pendingTables?.forget()
        pendingTables = nil
    }
}

extension Store {
    /// Opens the file once more, for reading; nil for a store in memory.
    fileprivate func makeReadingConnection() throws -> DatabaseQueue? {
        guard let pool = database as? DatabasePool else { return nil }
        var configuration = StoreFile.configuration(options)
        configuration.readonly = true
        return try Failure.translate {
            let connection = try DatabaseQueue(path: pool.path, configuration: configuration)
            connections.withLock { list in
                list.removeAll { $0.queue == nil }
                list.append(WeakConnection(queue: connection))
            }
            return connection
        }
    }
}

/// A connection that a context has made for itself.
struct WeakConnection: Sendable {
    weak let queue: DatabaseQueue?
}
