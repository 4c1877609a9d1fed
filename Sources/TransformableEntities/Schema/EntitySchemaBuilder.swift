public import TransformableStore

/// Describes the properties of an entity class for its schema.
///
/// `@Entity` generates code that calls a method for each property. A class that is not final is described once for
/// itself and once for each child, because a key path starts at a particular class.
public struct _EntitySchemaBuilder<Root: Entity>: Sendable {
    var schema: _EntitySchema

    /// Makes the compiler verify that the first type a class inherits from is a protocol.
    ///
    /// The parameter's type is an existential, which a superclass does not have. The stored properties of a superclass
    /// that is not an entity would never be saved.
    ///
    /// - Parameter type: The protocol.
    public func hasNoSuperclass(_ type: any Any.Type) {}

    /// Registers the key paths of all properties from an optional object.
    ///
    /// `@Entity` generates them.
    ///
    /// - Parameter steps: The key paths, in the order of the properties.
    public mutating func steps(_ steps: any PartialKeyPath<Root?> & Sendable...) {
        schema.steps += steps.map { $0 }
    }

    mutating func add(
        _ attribute: AttributeDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        isEager: Bool,
        initial: (@Sendable () -> Slot)?
    ) {
        if isEager { schema.eager.append(schema.initials.count) }
        schema.initials.append(initial)
        schema.properties.append(_EntityProperty(name: attribute.name, keyPath: keyPath, role: .attribute(attribute)))
    }

    mutating func add(
        _ relationship: RelationshipDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        to destination: any Entity.Type
    ) {
        let role = _EntityProperty.Role.relationship(relationship, destination)
        schema.properties.append(_EntityProperty(name: relationship.name, keyPath: keyPath, role: role))
    }
}

/// One method for each kind of relationship. The property's type selects the method.
extension _EntitySchemaBuilder {
    /// Adds a to-one relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - keyPath: The property.
    ///   - deleteRule: What happens to the related object when an object is deleted.
    ///   - inverse: The relationship in the other direction, which the compiler checks against the classes.
    ///   - inverseName: The name of the inverse relationship.
    ///   - isRequired: Whether the relationship must have an object when its owner is saved.
    ///   - renamedFrom: The relationship's names in earlier versions of the model, oldest first.
    ///   - addedIn: The version of the model that added the relationship.
    public mutating func relationship<Destination: Entity>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Destination?> & Sendable,
        deleteRule: DeleteRule = .nullify,
        inverse: PartialKeyPath<Destination>? = nil,
        named inverseName: String? = nil,
        isRequired: Bool = false,
        renamedFrom: FormerNames = nil,
        addedIn: Int? = nil
    ) {
        var relationship = RelationshipDescription.toOne(
            name,
            Destination.entityName,
            optional: !isRequired,
            inverse: inverseName,
            deleteRule: deleteRule
        )
        relationship.renamedFrom = renamedFrom
        relationship.addedIn = addedIn
        add(relationship, keyPath, to: Destination.self)
    }

    /// Adds a to-many relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - keyPath: The property.
    ///   - deleteRule: What happens to the related objects when an object is deleted.
    ///   - inverse: The relationship in the other direction, which the compiler checks against the classes.
    ///   - inverseName: The name of the inverse relationship.
    ///   - isOrdered: Whether the relationship preserves the order of its objects.
    ///   - count: The allowed number of objects.
    ///   - renamedFrom: The relationship's names in earlier versions of the model, oldest first.
    ///   - addedIn: The version of the model that added the relationship.
    public mutating func relationship<Destination: Entity>(
        _ name: String,
        _ keyPath: any KeyPath<Root, [Destination]> & Sendable,
        deleteRule: DeleteRule = .nullify,
        inverse: PartialKeyPath<Destination>? = nil,
        named inverseName: String? = nil,
        isOrdered: Bool = false,
        count: ClosedRange<Int>? = nil,
        renamedFrom: FormerNames = nil,
        addedIn: Int? = nil
    ) {
        var relationship = RelationshipDescription.toMany(
            name,
            Destination.entityName,
            ordered: isOrdered,
            inverse: inverseName,
            deleteRule: deleteRule
        )
        // A range from 0, or up to the largest number, states no limit.
        relationship.minimumCount = count.flatMap { $0.lowerBound == 0 ? nil : $0.lowerBound }
        relationship.maximumCount = count.flatMap { $0.upperBound == .max ? nil : $0.upperBound }
        relationship.renamedFrom = renamedFrom
        relationship.addedIn = addedIn
        add(relationship, keyPath, to: Destination.self)
    }
}

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
        guard Fetch.self != _NoHook.self else { return }
        schema.awake = { object in
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

    /// Returns the hooks whose kinds are missing in the other hooks.
    func without(_ other: Self) -> Self {
        var rest = self
        for kind in Self.kinds where other[keyPath: kind] != nil { rest[keyPath: kind] = nil }
        return rest
    }
}
