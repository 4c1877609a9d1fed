public import Transformable
public import TransformableStore

/// Makes a final class an entity: every stored `var` of it is an attribute, unless it is marked otherwise.
///
/// ```swift
/// @Entity
/// final class Patient {
///     var name: String
///     @Attribute(.indexed) var admitted: Date
///     @Attribute(transformer: "text | sealed", .projected("blind-index(bits: 32)")) var ssn: String?
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
/// - Parameters:
///   - name: The entity's name; the class's where there is none.
///   - renamedFrom: The name in an earlier version of the model, or several, the oldest first.
///   - addedIn: The version of the model that added it, where earlier ones had another entity of this name.
///   - unique: Groups of properties, by name, whose values together occur once.
@attached(member, names: named(entityName), named(_entitySchema), named(_record), named(init))
@attached(memberAttribute)
@attached(extension, conformances: Entity)
public macro Entity(
    _ name: String? = nil,
    renamedFrom: FormerNames = nil,
    addedIn: Int? = nil,
    unique: [[String]] = []
) = #externalMacro(module: "TransformableMacros", type: "EntityMacro")

/// Says more about an attribute of an `@Entity` than its type does.
///
/// A type that a column holds as it is, an enumeration with raw values and any `Codable` type, which is stored as
/// JSON, need no word.
///
/// - Parameter options: What is to be said: indexed, unique, a range, a projection, an earlier name.
@attached(peer)
public macro Attribute(_ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Names the transformer of an attribute of an `@Entity`, as an expression that is checked when the store opens.
///
/// - Parameters:
///   - transformer: The expression.
///   - options: What else is to be said about the attribute.
@attached(peer)
public macro Attribute(transformer: String, _ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Names the transformer of an attribute of an `@Entity`, which the compiler compares with the property's type.
///
/// - Parameters:
///   - transformer: The transformer's name, as its plugin declares it.
///   - options: What else is to be said about the attribute.
@attached(peer)
public macro Attribute<Value>(transformer: TypedExpression<Value>, _ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Names the transformer of an attribute of an `@Entity` whose type is `Codable`.
///
/// - Parameters:
///   - transformer: The transformer's name, as its plugin declares it.
///   - options: What else is to be said about the attribute.
@attached(peer)
public macro Attribute(transformer: CodableExpression, _ options: AttributeOption...) =
    #externalMacro(module: "TransformableMacros", type: "AttributeMarker")

/// Lets a property of an `@Entity` lead to objects: `Visit?` to one, `[Visit]` to many.
///
/// - Parameters:
///   - deleteRule: What deleting an object does to those it leads to.
///   - inverse: The relationship that leads back, as a key path of one step; one side states it, since the
///     compiler takes two that name each other for a circle.
///   - isRequired: Whether a relationship to one must lead somewhere when its object is saved.
///   - isOrdered: Whether a relationship to many keeps the order that its objects are put in.
///   - count: How many objects a relationship to many leads to; nil is any number.
///   - renamedFrom: The name in an earlier version of the model, or several, the oldest first.
///   - addedIn: The version of the model that added it, where earlier ones had another relationship of this name.
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

/// Keeps a property of an `@Entity` out of the store: it is the object's own, and starts with its initial value.
@attached(peer)
public macro Transient() = #externalMacro(module: "TransformableMacros", type: "TransientMarker")

/// What `@Entity` puts on an attribute; not for use by hand.
///
/// - Parameter index: The attribute's place.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(`$`))
public macro _EntityAttribute(_ index: Int) =
    #externalMacro(module: "TransformableMacros", type: "EntityAttributeMacro")

/// What `@Entity` puts on a relationship; not for use by hand.
///
/// - Parameter index: The relationship's place.
@attached(accessor, names: named(get), named(set), named(_modify))
public macro _EntityReference(_ index: Int) =
    #externalMacro(module: "TransformableMacros", type: "EntityReferenceMacro")
