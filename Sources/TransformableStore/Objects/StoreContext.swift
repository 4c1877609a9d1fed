internal import Foundation
internal import GRDB
internal import Transformable

/// The objects of one `read` or `write`, and what can be done with them.
///
/// A context lives as long as the block that was given it; its objects stay in that block. There is
/// one object for each row and context.
///
/// ## Topics
/// ### Finding objects
/// - ``object(_:)``
/// - ``objectIfAny(_:)``
/// - ``fetch(_:where:sortedBy:limit:offset:)``
/// - ``first(_:where:sortedBy:)``
/// - ``forEach(_:where:sortedBy:limit:offset:_:)``
/// - ``count(_:where:)``
/// - ``exists(_:where:)``
/// - ``ids(_:where:sortedBy:limit:offset:)``
/// ### Changing them
/// - ``insert(_:)``
/// - ``insert(many:into:progress:fill:)``
/// - ``update(_:where:progress:_:)``
/// - ``delete(_:)``
/// - ``delete(_:where:)``
/// - ``save()``
public final class StoreContext {
    /// The store that is read or written.
    public let store: Store
    /// Whether objects may be changed.
    public let isWritable: Bool
    let schema: StoreSchema
    private var connection: Database?
    private var objects: [ObjectTable]
    private var statements: [String: SQLStatement] = [:]
    private var insertions: [SQLStatement?]
    private var lastNumbers: [Int64?]
    private(set) var changed: [ManagedObject] = []
    // What is to be deleted and has not yet been followed by the delete rules.
    private var deleted: [ManagedObject] = []
    // Whose relationships may lead to more or fewer objects since they were counted last.
    private var recounted: Set<ObjectID> = []
    private var failures: [StoreError] = []
    // What a setter that cannot throw was refused.
    private var refusals: [StoreError] = []

    private init(_ store: Store, _ database: Database, isWritable: Bool) {
        self.store = store
        self.isWritable = isWritable
        schema = store.schema
        connection = database
        objects = Array(repeating: ObjectTable(), count: store.schema.entities.count)
        insertions = Array(repeating: nil, count: store.schema.entities.count)
        lastNumbers = Array(repeating: nil, count: store.schema.entities.count)
    }

    /// A context without a file, for objects that are filled and encoded on a thread of their own.
    init(detachedFrom store: Store) {
        self.store = store
        isWritable = true
        schema = store.schema
        connection = nil
        objects = Array(repeating: ObjectTable(), count: store.schema.entities.count)
        insertions = []
        lastNumbers = []
    }

    /// Gives a body a context for as long as it runs, and saves what it has changed.
    static func run<Result>(
        in store: Store,
        on database: Database,
        isWritable: Bool,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result {
        let context = StoreContext(store, database, isWritable: isWritable)
        defer { context.end() }
        let nested = Nesting.active.union([ObjectIdentifier(store)])
        return try Nesting.$active.withValue(nested) {
            let result = try body(context)
            try context.save()
            if isWritable { try ReferenceCheck.run(store.schema, on: database) }
            try context.throwFailures()
            return result
        }
    }

    private func end() {
        connection = nil
        statements = [:]
        insertions = []
        changed = []
        deleted = []
        recounted = []
    }

    private func throwFailures() throws(StoreError) {
        if let refusal = refusals.first { throw refusal }
        guard store.options.quarantine == .fail, var first = failures.first else { return }
        if failures.count > 1 { first.faults = failures.map(\.description) }
        throw first
    }

    /// Notes a failure to decode that an accessor cannot throw.
    package func record(_ failure: StoreError) {
        failures.append(failure)
    }

    /// Forgets them, where every cell is looked at and answered for.
    func forgetFailures() {
        failures = []
    }

    /// Notes that something a setter was asked for cannot be had, which the block throws at its end.
    package func refuse(_ refusal: StoreError) {
        refusals.append(refusal)
    }

    /// The connection, while the block runs.
    func database() throws(StoreError) -> Database {
        guard let connection else {
            throw StoreError(.misuse, "an object or context is used after its block has ended, or in a bulk insertion")
        }
        return connection
    }

    /// A statement from the connection's cache; for one that runs to its end before another needs it.
    func statement(_ sql: String) throws -> SQLStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLStatement(sql, on: database())
        statements[sql] = statement
        return statement
    }

    /// The statement that inserts a row, found without hashing its text for each.
    func insertion(_ entity: StoredEntity) throws -> SQLStatement {
        if let statement = insertions[entity.index] { return statement }
        let statement = try statement(entity.insert)
        insertions[entity.index] = statement
        return statement
    }

    /// Whether there is no file, as for objects that are encoded on a thread of their own.
    var isDetached: Bool { connection == nil }

    func requireWritable() throws(StoreError) {
        guard isWritable else {
            throw StoreError(.readOnly, "objects can be changed in a write only")
        }
    }

    func place(of object: Int64, _ attribute: StoredAttribute, _ entity: StoredEntity) -> TransformContext {
        TransformContext(store: schema.uuid, entity: entity.id, attribute: attribute.id, object: object)
    }
}

@available(*, unavailable)
extension StoreContext: Sendable {}

// MARK: - One object for each row

extension StoreContext {
    func registered(_ entity: StoredEntity, _ number: Int64) -> ManagedObject? {
        objects[entity.index][number]
    }

    func register(_ object: ManagedObject) {
        objects[object.entity.index].insert(object)
    }

    func unregister(_ entity: StoredEntity, _ number: Int64) {
        objects[entity.index].remove(number)
    }

    /// The object of a row that a statement stands on, whose cells begin with number and version.
    func object(at statement: SQLStatement, _ entity: StoredEntity) throws -> ManagedObject {
        let number = statement.integer(0)
        let version = statement.integer(1)
        if let object = registered(entity, number) {
            if object.isFault { object.fill(statement.packedRow(from: 2, count: entity.columns.count), version) }
            return object
        }
        let row = statement.packedRow(from: 2, count: entity.columns.count)
        let object = ManagedObject(entity, number, in: self, row: row, version: version)
        register(object)
        try object.awakeFromFetch()
        return object
    }

    /// Reads the row of an object; nil if there is none.
    func row(_ entity: StoredEntity, _ number: Int64) throws -> (row: PackedRow, version: Int64)? {
        let statement = try statement(entity.selectOne)
        try statement.bind(number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return (statement.packedRow(from: 2, count: entity.columns.count), statement.integer(1))
    }
}

// MARK: - Finding one, inserting, deleting

extension StoreContext {
    /// Gives the object with an id.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object.
    /// - Throws: ``StoreError`` with ``StoreError/Code/noSuchObject`` or ``StoreError/Code/unknownEntity``.
    public func object(_ id: ObjectID) throws -> ManagedObject {
        guard let object = try objectIfAny(id) else {
            throw StoreError(.noSuchObject, "there is no \(id)", entity: id.entity, object: id)
        }
        return object
    }

    /// Gives the object with an id, if there is one.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object; nil if there is none.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity``.
    public func objectIfAny(_ id: ObjectID) throws -> ManagedObject? {
        let entity = try schema.entity(id.entity)
        if let object = registered(entity, id.number) { return object.isDeleted ? nil : object }
        guard let (row, version) = try row(entity, id.number) else { return nil }
        let object = ManagedObject(entity, id.number, in: self, row: row, version: version)
        register(object)
        try object.awakeFromFetch()
        return object
    }

    /// Makes a new object, which has its id at once and is written when the block ends.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The object, with the model's defaults.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity`` or ``StoreError/Code/readOnly``.
    public func insert(_ entity: String) throws -> ManagedObject {
        try requireWritable()
        let entity = try schema.entity(entity)
        let object = ManagedObject(inserting: entity, try takeNumbers(of: entity), in: self)
        register(object)
        changed.append(object)
        try object.setDefaults()
        return object
    }

    /// Takes numbers for new objects, and gives the first of them.
    ///
    /// They are taken in memory: the transaction keeps other writers out, and SQLite notes the
    /// highest when the rows are written.
    func takeNumbers(_ count: Int = 1, of entity: StoredEntity) throws -> Int64 {
        let last = try lastNumber(of: entity)
        guard last <= Int64.max - Int64(count) else {
            throw StoreError(.limitExceeded, "the entity has no numbers left", entity: entity.name)
        }
        lastNumbers[entity.index] = last + Int64(count)
        return last + 1
    }

    /// The highest number that an object of the entity has had.
    func lastNumber(of entity: StoredEntity) throws -> Int64 {
        let database = try database()
        return try lastNumbers[entity.index]
            ?? SQLStatement.integer(
                "SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?",
                [.text(entity.name)],
                on: database
            )
    }

    /// Deletes an object; its row goes when the block ends.
    ///
    /// - Parameter object: The object; one that is deleted already stays so.
    /// - Throws: ``StoreError`` with ``StoreError/Code/readOnly``.
    public func delete(_ object: ManagedObject) throws {
        try requireWritable()
        guard object.context === self else {
            throw StoreError(.misuse, "the object belongs to another context", object: object.id)
        }
        guard !object.isDeleted else { return }
        deleted.append(object)
        if object.markDeleted() { changed.append(object) }
    }

    /// The next object whose delete rules have to be followed.
    func takeDeleted() -> ManagedObject? {
        deleted.popLast()
    }

    /// Notes that the object's relationships have to be counted before the block ends.
    func recount(_ id: ObjectID) {
        recounted.insert(id)
    }

    func takeRecounted() -> Set<ObjectID> {
        defer { recounted = [] }
        return recounted
    }

    func noteChange(_ object: ManagedObject) {
        changed.append(object)
    }

    /// Writes what has changed so far, within the transaction; the end of the block does so by itself.
    ///
    /// - Throws: ``StoreError``: a value cannot be stored or breaks a rule of the model.
    public func save() throws {
        guard !changed.isEmpty || !deleted.isEmpty || !recounted.isEmpty else { return }
        try enforceDeleteRules()
        let pending = changed
        try noteCounts(of: pending)
        let database = try database()
        // Deleting first frees the values that occur once.
        for object in pending where object.state == .deleted {
            try object.writeDeletion(database)
        }
        for object in pending where object.state == .stored {
            try object.writeUpdate(database)
        }
        for object in pending where object.state == .inserted {
            try object.writeInsertion(database)
        }
        changed = []
        try enforceCounts()
    }
}
