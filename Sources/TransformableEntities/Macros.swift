public import Transformable

/// Makes a class an entity. Each stored `var` is an attribute, unless it is marked otherwise.
///
/// ```swift
/// @Entity
/// final class Patient {
///     var name: String
///     @Attribute(.indexed) var admitted: Date
///     @Attribute(transformer: "text | sealed", .projected("blind-index(bits: 12)")) var ssn: String?
///     @Attribute(transformer: .rect) var bed: CGRect
///     @Transient var isSelected = false
///     @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit]
///
///     init(name: String, admitted: Date, bed: CGRect) {
///         self.name = name
///         self.admitted = admitted
///         self.bed = bed
///     }
/// }
/// ```
///
/// A class that inherits from another entity class has the properties of its parent, and fetching the parent fetches its
/// objects, too. Its initializer calls the parent's initializer before it sets properties of its own:
///
/// ```swift
/// @Entity
/// class Account {
///     var owner: String
///
///     init(owner: String) { self.owner = owner }
/// }
///
/// @Entity
/// final class Savings: Account {
///     var rate: Double
///
///     init(owner: String, rate: Double) {
///         super.init(owner: owner)
///         self.rate = rate
///     }
/// }
/// ```
///
/// - Parameters:
///   - name: The name of the entity. By default, the name of the class.
///   - isAbstract: Whether only the children of the class have objects.
///   - renamedFrom: The entity's names in earlier versions of the model, oldest first.
///   - addedIn: The version of the model that added the entity, if earlier versions had a different entity with this
///     name.
///   - unique: Groups of property names whose combined values must be unique. Child classes inherit them.
///   - indexes: Indexes over several properties, or in descending order.
///   - projections: Columns that are computed from several attributes, so that objects can be found by all of them at
///     once.
///   - authenticatesRows: Whether each row has a tag, so that changes made without the store's key are detected.
///   - isShared: Whether the objects belong to no tenant and are the same for all tenants, in a store with tenants. It also
///     applies to the class's children.
@attached(
    member,
    conformances: Entity,
    _EntityClass,
    names: named(entityName),
    named(_entitySchema),
    prefixed(_schema),
    named(_describe),
    prefixed(_offset),
    named(_record),
    named(init)
)
@attached(memberAttribute)
@attached(extension, conformances: Entity, _EntityClass)
public macro Entity(
    _ name: String? = nil,
    isAbstract: Bool = false,
    renamedFrom: FormerNames = nil,
    addedIn: Int? = nil,
    unique: [[String]] = [],
    indexes: [[SortKey]] = [],
    projections: [CompoundProjection] = [],
    authenticatesRows: Bool = false,
    isShared: Bool = false
) = #externalMacro(module: "TransformableMacros", type: "EntityMacro")

/// Sets options of an attribute of an `@Entity` class.
///
/// Properties that a column can hold directly, enumerations with raw values, and `Codable` types (which are stored as
/// JSON) are attributes without this macro.
///
/// - Parameter options: The options, such as an index, uniqueness, a range, a projection, or an earlier name.
@attached(peer)
public macro Attribute(_ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Sets the transformer of an attribute of an `@Entity` class, as an expression that is checked when the store opens.
///
/// - Parameters:
///   - transformer: The expression.
///   - options: The other options of the attribute.
@attached(peer)
public macro Attribute(transformer: String, _ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Sets the transformer of an attribute of an `@Entity` class. The compiler checks that it matches the property's type.
///
/// - Parameters:
///   - transformer: The transformer, as declared by its plugin.
///   - options: The other options of the attribute.
@attached(peer)
public macro Attribute<Value>(transformer: TypedExpression<Value>, _ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Sets the transformer of an attribute of an `@Entity` class whose type is `Codable`.
///
/// - Parameters:
///   - transformer: The transformer, as declared by its plugin.
///   - options: The other options of the attribute.
@attached(peer)
public macro Attribute(transformer: CodableExpression, _ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Declares a relationship of an `@Entity` class: `Visit?` for a to-one relationship, `[Visit]` for a to-many
/// relationship.
///
/// - Parameters:
///   - deleteRule: What happens to the related objects when an object is deleted.
///   - inverse: The relationship in the other direction, as a key path with a single component. Declare it on one side
///     only, because the compiler rejects two declarations that refer to each other.
///   - isRequired: Whether a to-one relationship must have an object when its owner is saved.
///   - isOrdered: Whether a to-many relationship preserves the order of its objects.
///   - count: The allowed number of objects in a to-many relationship. By default, any number.
///   - renamedFrom: The relationship's names in earlier versions of the model, oldest first.
///   - addedIn: The version of the model that added the relationship, if earlier versions had a different relationship
///     with this name.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify,
    inverse: AnyKeyPath? = nil,
    isRequired: Bool = false,
    isOrdered: Bool = false,
    count: ClosedRange<Int>? = nil,
    renamedFrom: FormerNames = nil,
    addedIn: Int? = nil
) = #externalMacro(module: "TransformableMacros", type: "RelationshipMarker")

/// Excludes a property of an `@Entity` class from the store. It starts with its initial value and is never saved.
///
/// Setting the property marks the object as changed, so that the next save calls `willSave()`. Nothing is written if
/// no stored property has changed by then. A property that is `lazy` or that has an observer or another attribute
/// does not mark its object.
@attached(peer)
public macro Transient() = #externalMacro(module: "TransformableMacros", type: "TransientMarker")

/// The accessors that `@Entity` adds to an attribute. Do not use this macro directly.
///
/// - Parameter index: The index of the attribute.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(`$`))
public macro _EntityAttribute(_ index: Int) =
    #externalMacro(module: "TransformableMacros", type: "EntityAttributeMacro")

/// The observer that `@Entity` adds to a transient property. Do not use this macro directly.
@attached(accessor, names: named(didSet))
public macro _EntityTransient() = #externalMacro(module: "TransformableMacros", type: "EntityTransientMacro")

/// The accessors that `@Entity` adds to a relationship. Do not use this macro directly.
///
/// - Parameter index: The index of the relationship.
@attached(accessor, names: named(get), named(set), named(_modify))
public macro _EntityReference(_ index: Int) =
    #externalMacro(module: "TransformableMacros", type: "EntityReferenceMacro")
