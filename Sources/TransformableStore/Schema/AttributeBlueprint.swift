internal import Transformable

/// What a stored attribute is made of, whatever the type of its values.
struct AttributeBlueprint: Sendable {
    var description: AttributeDescription
    let entity: String
    /// The attribute's number in its store; never used again.
    let id: UInt32
    /// Its place among the entity's attributes.
    let index: Int
    /// Its place in a fetched row; nil for a transient attribute.
    let cell: Int?
    /// Whether its bytes may lie in files of their own, by this model or an earlier one.
    var isExternal = false
    /// The transformer, for a transformed attribute that resolves.
    var transformer: ResolvedTransformer?
    /// Why the attribute's values cannot be read or written in this program.
    var failure: StoreError?
}
