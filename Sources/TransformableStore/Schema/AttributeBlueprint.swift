internal import Transformable

/// The parts of a stored attribute that do not depend on the type of its values.
struct AttributeBlueprint: Sendable {
    var description: AttributeDescription
    let entity: String
    /// The attribute's number in its store, which is never reused.
    let id: UInt32
    /// The attribute's position in its entity.
    let index: Int
    /// The attribute's position in a fetched row, or `nil` for a transient attribute.
    let cell: Int?
    /// Whether its values may be stored externally, according to this model or an earlier one.
    var isExternal = false
    /// The transformer of a transformed attribute, if it can be resolved.
    var transformer: ResolvedTransformer?
    /// The reason why the attribute's values cannot be read or written in this program.
    var failure: StoreError?
}
