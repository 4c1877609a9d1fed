public import Foundation
public import Transformable

/// A description of an attribute in an open store, for listings, and for reading and writing values in their human
/// form.
public struct AttributeInfo: Sendable {
    /// The attribute's description in the model.
    public let description: AttributeDescription
    /// The attribute's number in its store, which contextual transformers bind values to.
    public let id: UInt32
    /// The Swift type of the values, or `nil` if the transformer is not available in this program.
    public let valueType: (any Any.Type)?
    /// The transformer, or `nil` for a plain attribute or if the transformer is not available in this program.
    public let transformer: ResolvedTransformer?
    /// The signature that the column was written with.
    public let signature: TransformerSignature?
    /// The human form of the values, or `nil` if there is none.
    public let form: AnyHumanForm?
    /// The reason why the attribute cannot be read or written in this program.
    public let failure: StoreError?

    /// The destination entity of a relationship's column, or `nil` for an attribute.
    public let destination: String?

    /// Whether it is the column of a relationship that is its own inverse, so that an object in a context sets the other
    /// object's column as well.
    package let isMutual: Bool

    private let decodes: @Sendable (Data) -> Bool

    /// The attribute's name.
    public var name: String { description.name }

    init(_ attribute: StoredAttribute, of entity: StoredEntity) {
        let relationship = entity.relationships.first { $0.columns.contains(attribute.index) }
        destination = relationship?.parts.first { $0.storage == .column(attribute.index) }?.destination
        isMutual = relationship?.isOwnInverse == true
        description = attribute.description
        decodes = { bytes in attribute.load({ bytes }, in: .none).failure == nil }
        id = attribute.id
        failure = attribute.failure
        transformer = attribute.failure == nil ? attribute.transformer : nil
        valueType = attribute.failure == nil ? attribute.valueType : nil
        signature = transformer?.signature
        form = transformer?.form ?? valueType.flatMap(PlainForm.form)
    }
}

extension AttributeInfo {
    /// Returns a Boolean value that indicates whether ``ManagedObject/setContents(_:for:)`` accepts the given bytes,
    /// such as an archive or an image file.
    ///
    /// - Parameter contents: The bytes.
    /// - Returns: Whether the attribute's first stages decode them.
    public func canDecode(contents: Data) -> Bool {
        (description.type == .data || description.type == .transformed) && failure == nil && decodes(contents)
    }
}

extension Store {
    /// Returns the attributes of an entity, inherited ones first, followed by the columns of its relationships.
    ///
    /// - Parameter entity: The entity's name. For an abstract entity, the result contains the attributes that its
    ///   children share, as they are in its first child.
    /// - Returns: The attributes, in the order of their columns.
    /// - Throws: `StoreError` with the code `unknown-entity` if there is no such entity.
    public func attributes(of entity: String) throws(StoreError) -> [AttributeInfo] {
        guard model.entity(entity)?.isAbstract == true else {
            let entity = try schema.entity(entity)
            return entity.attributes.filter { !$0.description.isInternal }.map { AttributeInfo($0, of: entity) }
        }
        guard let child = try schema.family(entity).first else { return [] }
        let shared = Set(model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name))
        // A reference to a family is stored in columns that are named after the relationship and an entity.
        return child.attributes.filter { shared.contains(String($0.name.prefix { $0 != "." })) }
            .map { AttributeInfo($0, of: child) }
    }

    /// Returns an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - entity: The entity's name.
    /// - Returns: The attribute.
    /// - Throws: `StoreError` with the code `unknown-entity` or `unknown-attribute` if there
    ///   is no such entity or attribute.
    public func attribute(_ name: String, of entity: String) throws(StoreError) -> AttributeInfo {
        let entity = try schema.entity(entity)
        return try AttributeInfo(entity.attribute(name), of: entity)
    }
}
