/// What a program does at the turning points of an entity's objects.
///
/// Given to a store when it is opened, by the entity's name; those of a parent run for its children, before
/// their own. What a hook throws ends what it was called by: a save then writes nothing, but for ``didSave``.
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
    /// Something done to an object, in its context.
    public typealias Hook = @Sendable (ManagedObject) throws -> Void

    /// Runs once in an object's life: when it has been made, with the model's defaults.
    public var awakeFromInsert: Hook?
    /// Runs once when an object's row has been read into a context, and again after the object was refreshed; not for
    /// an object that was inserted there.
    ///
    /// It may set transient attributes, in a read too; that does not count as a change.
    public var awakeFromFetch: Hook?
    /// Runs before an object that is new or has changes, of transient attributes too, is written; what it changes is
    /// written with it.
    public var willSave: Hook?
    /// Runs when what was saved of an object has been committed; what it throws reaches the caller, and changes
    /// nothing of that.
    public var didSave: Hook?
    /// Runs when an object is about to be deleted, be it by a cascade, while everything is still in its place: what goes
    /// with it, and what it goes with.
    public var prepareForDeletion: Hook?
    /// Throws if a new object must not be saved.
    public var validateForInsert: Hook?
    /// Throws if an object must not be saved with its changes.
    public var validateForUpdate: Hook?
    /// Throws if an object must not be deleted.
    public var validateForDelete: Hook?

    /// Makes hooks that do nothing.
    public init() {}
}

/// The hooks of all entities, those of their parents included.
struct HookTable: Sendable {
    private let hooks: [[EntityHooks]]
    let isEmpty: Bool

    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity`` if hooks are for an entity the model lacks.
    init(_ named: [String: EntityHooks], _ schema: StoreSchema) throws {
        for name in named.keys.sorted() where schema.model.entity(name) == nil { _ = try schema.entity(name) }
        isEmpty = named.isEmpty
        hooks = schema.entities.map { entity in
            schema.model.lineage(of: entity.description).compactMap { named[$0.name] }
        }
    }

    subscript(entity: StoredEntity) -> [EntityHooks] { hooks[entity.index] }
}

extension StoreContext {
    /// Runs one kind of hook of an object.
    func runHooks(
        _ kind: @autoclosure () -> KeyPath<EntityHooks, EntityHooks.Hook?>,
        of object: ManagedObject
    ) throws {
        guard !store.hooks.isEmpty else { return }
        let kind = kind()
        let isInner = isInHook
        isInHook = true
        defer { isInHook = isInner }
        for hooks in store.hooks[object.entity] { try hooks[keyPath: kind]?(object) }
    }

    /// Runs what an object does when it was fetched: the transient values that it sets are no changes.
    func awaking(_ body: () throws -> Void) rethrows {
        let isInner = isAwaking
        isAwaking = true
        defer { isAwaking = isInner }
        try body()
    }

    /// Tells the objects that are about to be written; they and others may change meanwhile.
    func runWillSave() throws {
        guard !store.hooks.isEmpty else { return }
        let limit = changed.count + 100_000
        var index = 0
        // Hooks may add to the list.
        while index < changed.count {
            let object = changed[index]
            index += 1
            guard index <= limit else {
                throw StoreError(.limitExceeded, "hooks that run before a save keep changing other objects")
            }
            if object.isPending, !object.isDeleted { try runHooks(\.willSave, of: object) }
        }
    }

    /// Asks whether every pending object may be saved as it is.
    ///
    /// - Throws: What a hook throws; if several do, ``StoreError`` with ``StoreError/Code/invalidValue``, which
    ///   lists them.
    func validatePending() throws {
        guard !store.hooks.isEmpty else { return }
        var failures: [(id: ObjectID, error: any Error)] = []
        for object in changed where object.isPending {
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
            "\(failures.count) objects cannot be saved as they are",
            object: first.id,
            faults: failures.map { "\($0.id): \($0.error)" },
            underlying: first.error
        )
    }
}

extension ManagedObject {
    /// Whether the next save has something to write of it.
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
