internal import TransformableStore

/// What a turning point gives of a class that has no method for it.
public struct _NoHook: Sendable {}

/// The turning points of an object: a class that has a method of one of these names has it called.
///
/// The compiler prefers the method of the class, be it in an extension, and so `@Entity` learns of it. The method
/// takes nothing, may throw, and is not `async`.
extension Entity {
    /// Nothing: once in an object's life a class's own method runs, when the object has been inserted.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func awakeFromInsert() -> _NoHook { _NoHook() }

    /// Nothing: a class's own method runs when an object was fetched into a context, and again after it was refreshed.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func awakeFromFetch() -> _NoHook { _NoHook() }

    /// Nothing: a class's own method runs before an object is written, together with what the method changes.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func willSave() -> _NoHook { _NoHook() }

    /// Nothing: a class's own method runs when what was saved of an object has been committed.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func didSave() -> _NoHook { _NoHook() }

    /// Nothing: a class's own method runs when an object is about to be deleted, while everything is still in its place.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func prepareForDeletion() -> _NoHook { _NoHook() }

    /// Nothing: a class's own method throws if a new object must not be saved.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func validateForInsert() -> _NoHook { _NoHook() }

    /// Nothing: a class's own method throws if an object must not be saved with its changes.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func validateForUpdate() -> _NoHook { _NoHook() }

    /// Nothing: a class's own method throws if an object must not be deleted.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func validateForDelete() -> _NoHook { _NoHook() }
}

extension _EntitySchema {
    /// A method of a class, which its turning point calls unless it gives ``_NoHook``.
    public typealias HookMethod<Result> = @Sendable (Root) -> () throws -> Result

    /// Has the methods of the class called at the turning points of its objects; `@Entity` names them all.
    public mutating func turningPoints<Insertion, Fetch, Save, Saved, Deletion, InsertCheck, UpdateCheck, DeleteCheck>(
        _ awakeFromInsert: @escaping HookMethod<Insertion>,
        _ awakeFromFetch: @escaping HookMethod<Fetch>,
        _ willSave: @escaping HookMethod<Save>,
        _ didSave: @escaping HookMethod<Saved>,
        _ prepareForDeletion: @escaping HookMethod<Deletion>,
        _ validateForInsert: @escaping HookMethod<InsertCheck>,
        _ validateForUpdate: @escaping HookMethod<UpdateCheck>,
        _ validateForDelete: @escaping HookMethod<DeleteCheck>
    ) {
        hook(\.awakeFromInsert, awakeFromInsert)
        hook(\.willSave, willSave)
        hook(\.didSave, didSave)
        hook(\.prepareForDeletion, prepareForDeletion)
        hook(\.validateForInsert, validateForInsert)
        hook(\.validateForUpdate, validateForUpdate)
        hook(\.validateForDelete, validateForDelete)
        guard Fetch.self != _NoHook.self else { return }
        awake = { object in
            if let object = object as? Root { _ = try awakeFromFetch(object)() }
        }
    }

    private mutating func hook<Result>(
        _ hook: WritableKeyPath<EntityHooks, EntityHooks.Hook?>,
        _ method: @escaping HookMethod<Result>
    ) {
        guard Result.self != _NoHook.self else { return }
        hooks = hooks ?? EntityHooks()
        hooks?[keyPath: hook] = { object in _ = try method(object.context.face(of: object))() }
    }

    /// Notes that code of the program may run while an object goes, in which that object may be asked for again.
    public mutating func hasDeinit() {
        runsDeinit = true
    }

    /// Notes what gives the `@Transient` properties of an object their initial values, for when it is refreshed.
    public mutating func transients(_ reset: @escaping @Sendable (Root) -> Void) {
        resetTransients = { object in
            if let object = object as? Root { reset(object) }
        }
    }
}
