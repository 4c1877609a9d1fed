/// Code that runs at certain points in the life of an entity's objects.
///
/// Pass hooks to a store when you open it, by entity name. The hooks of a parent also run for the objects of its
/// children, before the children's own hooks. If a hook throws an error, the operation that called it fails. A save
/// then writes nothing, except in the case of ``didSave``.
///
/// ```swift
/// var hooks = EntityHooks()
/// hooks.awakeFromInsert = { visit in try visit.setValue(Date(), for: "made") }
/// hooks.willSave = { visit in try visit.setValue(Date(), for: "changed") }
/// hooks.validateForDelete = { visit in
///     guard try visit.value("paid", as: Bool.self) else { throw Unpaid() }
/// }
/// let store = try Store(at: url, model: model, transformers: registry, hooks: ["Visit": hooks])
/// ```
public struct EntityHooks: Sendable {
    /// A closure that is called with an object, in its context.
    public typealias Hook = @Sendable (ManagedObject) throws -> Void

    /// Runs once in an object's life, after it is inserted with the default values of the model.
    public var awakeFromInsert: Hook?
    /// Runs after an object's row is read into a context, and again after the object is refreshed or a newer row takes
    /// the place of the one that was read.
    ///
    /// It does not run for the row of an object that was inserted into the context.
    ///
    /// The hook can set transient attributes, even in a read. This does not count as a change.
    ///
    /// If the hook throws an error, so does the operation that has read the row. The hook runs again when the object is
    /// next used.
    public var awakeFromFetch: Hook?
    /// Runs before an object that is new or has changes, including changes of transient attributes, is written.
    ///
    /// Changes made by the hook are written, too.
    public var willSave: Hook?
    /// Runs after the changes to an object are committed.
    ///
    /// If it throws an error, the changes remain committed, and the hooks of the other objects still run. The caller
    /// receives the first error.
    public var didSave: Hook?
    /// Runs when an object is about to be deleted, directly or by a cascade, while all of its relationships are still
    /// intact.
    public var prepareForDeletion: Hook?
    /// Throws an error if a new object must not be saved.
    public var validateForInsert: Hook?
    /// Throws an error if an object must not be saved with its changes.
    public var validateForUpdate: Hook?
    /// Throws an error if an object must not be deleted.
    public var validateForDelete: Hook?

    /// Creates hooks that do nothing.
    public init() {}
}

/// The hooks of all entities, including those of their parents.
struct HookTable: Sendable {
    private let hooks: [[EntityHooks]]
    // Whether there are hooks of these kinds, by the positions of the entities.
    private let haveDidSave: [Bool]
    private let haveAwakeFromFetch: [Bool]
    private let haveWillSave: [Bool]
    let isEmpty: Bool

    /// - Parameters:
    ///   - named: The hooks to run in addition to those of classes, or `nil` to run none at all.
    ///   - schema: The entities.
    /// - Throws: `StoreError` with the code `unknown-entity` if there are hooks for an entity that is not in
    ///   the model.
    init(_ named: [String: EntityHooks]?, _ schema: StoreSchema) throws {
        for name in (named ?? [:]).keys.sorted() where schema.model.entity(name) == nil { _ = try schema.entity(name) }
        hooks = schema.entities.map { entity in
            guard let named else { return [] }
            return schema.model.lineage(of: entity.description)
                .flatMap { [$0.entityClass?.hooks as? EntityHooks, named[$0.name]] }.compactMap(\.self)
        }
        isEmpty = hooks.allSatisfy(\.isEmpty)
        haveDidSave = hooks.map { $0.contains { $0.didSave != nil } }
        haveAwakeFromFetch = hooks.map { $0.contains { $0.awakeFromFetch != nil } }
        haveWillSave = hooks.map { $0.contains { $0.willSave != nil } }
    }

    subscript(entity: StoredEntity) -> [EntityHooks] { hooks[entity.index] }

    /// Returns a Boolean value that indicates whether a hook may change objects of an entity when they are saved.
    func runWillSave(for entity: StoredEntity) -> Bool { haveWillSave[entity.index] }

    /// Returns a Boolean value that indicates whether a block retains an object that has been written: to call a hook after
    /// the commit, or not to call `awakeFromFetch` for an object that was inserted in the block.
    func needs(_ object: ManagedObject, _ kind: WrittenObject.Kind) -> Bool {
        let index = object.entity.index
        return haveDidSave[index] || kind == .inserted && haveAwakeFromFetch[index]
    }
}

extension StoreContext {
    /// Runs one kind of hook for an object.
    func runHooks(
        _ kind: @autoclosure () -> KeyPath<EntityHooks, EntityHooks.Hook?>,
        of object: ManagedObject
    ) throws {
        guard !store.hooks.isEmpty else { return }
        let kind = kind()
        try hookState.running {
            for hooks in store.hooks[object.entity] { try hooks[keyPath: kind]?(object) }
        }
    }

    /// Runs the hooks of the objects that are about to be written.
    ///
    /// These and other objects may change in the process.
    ///
    /// - Parameter known: The objects whose hooks have run before.
    /// - Throws: `StoreError` with the code `limit-exceeded` if hooks keep changing other objects, and errors thrown by
    ///   hooks.
    func runWillSave(except known: Set<ObjectIdentifier> = []) throws {
        guard !store.hooks.isEmpty else { return }
        let limit = work.changed.count + 100_000
        var index = 0
        // Hooks may append to the list.
        while index < work.changed.count {
            let object = work.changed[index]
            index += 1
            guard index <= limit else {
                let remedy = "let “willSave” change an object only if its values differ"
                throw StoreError(.limitExceeded, "“willSave” keeps changing other objects; \(remedy)")
            }
            guard object.isPending, !object.isDeleted, !known.contains(ObjectIdentifier(object)) else { continue }
            try runHooks(\.willSave, of: object)
        }
    }

    /// Checks that the pending ones of some objects can be saved.
    ///
    /// - Throws: The error thrown by a hook, or, if several hooks throw, `StoreError` with
    ///   the code `invalid-value` and a list of the errors.
    func validate(_ objects: [ManagedObject]) throws {
        guard !store.hooks.isEmpty else { return }
        var failures: [(id: ObjectID, error: any Error)] = []
        for object in objects where object.isPending && !object.isTakenBack {
            do {
                try runHooks(object.validation, of: object)
            } catch {
                failures.append((object.id, error))
            }
        }
        guard failures.count != 1 else { throw failures[0].error }
        guard let first = failures.first else { return }
        throw StoreError(
            .invalidValue,
            "\(failures.count) objects cannot be saved",
            object: first.id,
            faults: failures.map { "\($0.id): \($0.error)" },
            underlying: first.error
        )
    }
}

extension ManagedObject {
    /// Whether the next save has to write something for the object.
    var isPending: Bool {
        switch state {
        case .inserted, .deleted: true
        case .stored: hasSetValues
        case .gone: false
        }
    }

    fileprivate var validation: KeyPath<EntityHooks, EntityHooks.Hook?> {
        switch state {
        case .inserted: \.validateForInsert
        case .deleted: \.validateForDelete
        case .stored, .gone: \.validateForUpdate
        }
    }
}
