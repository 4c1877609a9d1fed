public import TransformableStore

/// The result of a default hook, which indicates that the class does not implement the hook.
public struct _NoHook: Sendable {}

/// The hooks of an object, with default implementations. A class implements a hook by declaring a method with the same
/// name.
///
/// The compiler prefers the class's method, even if it is declared in an extension. This is how `@Entity` detects it.
/// The method has no parameters, can throw, and is not `async`.
extension Entity {
    /// Called once in an object's lifetime, after the object is inserted.
    ///
    /// The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func awakeFromInsert() -> _NoHook { _NoHook() }

    /// Called after an object is fetched into a context, and again after it is refreshed or a newer row was read.
    ///
    /// The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func awakeFromFetch() -> _NoHook { _NoHook() }

    /// Called before an object is written.
    ///
    /// Changes that the method makes are written as well. The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func willSave() -> _NoHook { _NoHook() }

    /// Called after the changes of an object are committed.
    ///
    /// The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func didSave() -> _NoHook { _NoHook() }

    /// Called before an object is deleted, while its values and relationships are intact.
    ///
    /// The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func prepareForDeletion() -> _NoHook { _NoHook() }

    /// Throws an error if a new object must not be saved.
    ///
    /// The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func validateForInsert() -> _NoHook { _NoHook() }

    /// Throws an error if the changes of an object must not be saved.
    ///
    /// The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func validateForUpdate() -> _NoHook { _NoHook() }

    /// Throws an error if an object must not be deleted.
    ///
    /// The default implementation does nothing.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    public func validateForDelete() -> _NoHook { _NoHook() }
}

extension _EntitySchemaBuilder {
    /// A hook method of a class.
    ///
    /// A method that returns ``_NoHook`` is not called.
    public typealias HookMethod<Result> = @Sendable (Root) -> () throws -> Result

    /// Registers the hook methods of the parent as the class sees them.
    ///
    /// `@Entity` passes all of them, before those of the class itself. A method that the class does not see, such as a
    /// private one, is neither inherited nor overridden. It runs in addition to that of the class.
    public mutating func inheritedHooks<
        Parent: Entity,
        Insertion,
        Fetch,
        Save,
        Saved,
        Deletion,
        InsertCheck,
        UpdateCheck,
        DeleteCheck
    >(
        of parent: Parent.Type,
        _ awakeFromInsert: (Parent) -> () throws -> Insertion,
        _ awakeFromFetch: (Parent) -> () throws -> Fetch,
        _ willSave: (Parent) -> () throws -> Save,
        _ didSave: (Parent) -> () throws -> Saved,
        _ prepareForDeletion: (Parent) -> () throws -> Deletion,
        _ validateForInsert: (Parent) -> () throws -> InsertCheck,
        _ validateForUpdate: (Parent) -> () throws -> UpdateCheck,
        _ validateForDelete: (Parent) -> () throws -> DeleteCheck
    ) {
        inherit(\.awakeFromInsert, Insertion.self)
        inherit(\.awakeFromFetch, Fetch.self)
        inherit(\.willSave, Save.self)
        inherit(\.didSave, Saved.self)
        inherit(\.prepareForDeletion, Deletion.self)
        inherit(\.validateForInsert, InsertCheck.self)
        inherit(\.validateForUpdate, UpdateCheck.self)
        inherit(\.validateForDelete, DeleteCheck.self)
    }

    /// Registers the hook methods that the class declares without overriding those of the parent.
    ///
    /// `@Entity` passes those in the body of the class. The parent may have inherited methods of the same names from a
    /// protocol, which run in addition to those of the class.
    public mutating func addedHooks(_ hooks: WritableKeyPath<EntityHooks, EntityHooks.Hook?>...) {
        for hook in hooks { schema.visibleHooks[keyPath: hook] = nil }
    }

    private mutating func inherit<Result>(
        _ hook: WritableKeyPath<EntityHooks, EntityHooks.Hook?>,
        _ result: Result.Type
    ) {
        if result != _NoHook.self { schema.visibleHooks[keyPath: hook] = { _ in } }
    }

    /// Registers the hook methods of a class.
    ///
    /// `@Entity` passes all of them.
    public mutating func hooks<Insertion, Fetch, Save, Saved, Deletion, InsertCheck, UpdateCheck, DeleteCheck>(
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
        let parent = schema.parent?._entitySchema
        // A class that overrides its parent's method does not override those that the parent cannot see.
        let hidden = schema.visibleHooks.awakeFromFetch == nil ? parent?.awake : parent?.hiddenAwake
        schema.hiddenAwake = hidden
        guard Fetch.self != _NoHook.self else {
            schema.awake = hidden
            return
        }
        schema.awake = { object in
            try hidden?(object)
            if let object = object as? Root { _ = try awakeFromFetch(object)() }
        }
    }

    private mutating func hook<Result>(
        _ hook: WritableKeyPath<EntityHooks, EntityHooks.Hook?>,
        _ method: @escaping HookMethod<Result>
    ) {
        guard Result.self != _NoHook.self else { return }
        schema.hooks = schema.hooks ?? EntityHooks()
        schema.hooks?[keyPath: hook] = { object in _ = try method(object.context.entity(of: object))() }
    }

    /// Records that the class has a deinitializer, which may run code that accesses the same object again.
    public mutating func hasDeinit() {
        schema.runsDeinit = true
    }

    /// Registers the function that resets the `@Transient` properties to their initial values when an object is
    /// refreshed.
    public mutating func transients(_ reset: @escaping @Sendable (Root) -> Void) {
        schema.resets.append { object in
            if let object = object as? Root { reset(object) }
        }
    }
}

extension EntityHooks {
    private static let kinds: [any WritableKeyPath<EntityHooks, Hook?> & Sendable] = [
        \.awakeFromInsert, \.awakeFromFetch, \.willSave, \.didSave, \.prepareForDeletion, \.validateForInsert,
        \.validateForUpdate, \.validateForDelete,
    ]

    /// Returns the hooks except those of kinds that both the other hooks and the visible ones have.
    func without(_ other: Self, seenAs visible: Self) -> Self {
        var rest = self
        for kind in Self.kinds where other[keyPath: kind] != nil && visible[keyPath: kind] != nil {
            rest[keyPath: kind] = nil
        }
        return rest
    }
}
