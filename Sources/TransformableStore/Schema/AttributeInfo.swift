public import Foundation
public import Transformable

/// An attribute as an open store has it: for listings, and for reading and writing values as a person does.
public struct AttributeInfo: Sendable {
    /// What the model says.
    public let description: AttributeDescription
    /// The attribute's number in its store, which contextual transformers bind values to.
    public let id: UInt32
    /// The Swift type of the values; nil if the transformer cannot be used in this program.
    public let valueType: (any Any.Type)?
    /// The transformer; nil for a plain attribute, and where it cannot be used in this program.
    public let transformer: ResolvedTransformer?
    /// The signature that the column was written with.
    public let signature: TransformerSignature?
    /// How a person gives and sees the values; nil if nobody says.
    public let form: AnyHumanForm?
    /// Why the attribute cannot be read or written in this program.
    public let failure: StoreError?

    /// The entity that a relationship's column refers to; nil for an attribute.
    public let destination: String?

    private let decodes: @Sendable (Data) -> Bool

    /// The attribute's name.
    public var name: String { description.name }

    init(_ attribute: StoredAttribute, of entity: StoredEntity) {
        destination =
            entity.relationships.lazy.flatMap(\.parts).first { $0.storage == .column(attribute.index) }?.destination
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
    /// Whether ``ManagedObject/setContents(_:for:)`` takes some bytes: an archive of a value, a picture's file.
    ///
    /// - Parameter contents: The bytes.
    /// - Returns: Whether the attribute's first stages decode them.
    public func canDecode(contents: Data) -> Bool {
        (description.type == .data || description.type == .transformed) && failure == nil && decodes(contents)
    }
}

extension Store {
    /// Describes the attributes of an entity, those it inherits first, and then the columns of its relationships.
    ///
    /// - Parameter entity: The entity's name; an abstract one has what its children share, as its first child has it.
    /// - Returns: The attributes in the order of their columns.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity``.
    public func attributes(of entity: String) throws(StoreError) -> [AttributeInfo] {
        guard model.entity(entity)?.isAbstract == true else {
            let entity = try schema.entity(entity)
            return entity.attributes.filter { !$0.description.isInternal }.map { AttributeInfo($0, of: entity) }
        }
        guard let child = try schema.family(entity).first else { return [] }
        let shared = Set(model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name))
        // A reference to a family lies in columns that bear its name and a kind's.
        return child.attributes.filter { shared.contains(String($0.name.prefix { $0 != "." })) }
            .map { AttributeInfo($0, of: child) }
    }

    /// Describes an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - entity: The entity's name.
    /// - Returns: The attribute.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity`` or ``StoreError/Code/unknownAttribute``.
    public func attribute(_ name: String, of entity: String) throws(StoreError) -> AttributeInfo {
        let entity = try schema.entity(entity)
        return try AttributeInfo(entity.attribute(name), of: entity)
    }
}
