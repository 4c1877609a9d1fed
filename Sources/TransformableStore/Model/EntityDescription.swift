/// A kind of object: its attributes and relationships, kept in a table of its own.
public struct EntityDescription: Sendable, Hashable {
    /// The name, which is the table's name too.
    public var name: String
    /// The entity whose attributes and relationships this one has as well.
    public var parent: String?
    /// Whether there are objects of its children only.
    public var isAbstract = false
    /// The attributes, in the order of their columns.
    public var attributes: [AttributeDescription]
    /// Values that lie in several columns, after those of the attributes.
    public var composites: [CompositeDescription]
    /// The relationships.
    public var relationships: [RelationshipDescription]
    /// Groups of attributes whose values together occur once.
    public var uniqueness: [[String]] = []
    /// Columns computed from several attributes together.
    public var projections: [CompoundProjection] = []
    /// The names in earlier versions of the model, the oldest first.
    public var renamedFrom = FormerNames()
    /// The version of the model that added it; nil if that is not stated.
    ///
    /// It tells the entity from one of the same name that earlier versions had and dropped.
    public var addedIn: Int?
    /// Notes of the program's own.
    public var userInfo: [String: String] = [:]
    /// The class whose objects stand for the entity's in code; nil where there is none.
    package var face: EntityFace?

    /// Makes an entity.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - parent: The entity it inherits from.
    ///   - abstract: Whether there are objects of its children only.
    ///   - attributes: The attributes, in the order of their columns.
    ///   - composites: Values that lie in several columns, after those of the attributes.
    ///   - relationships: The relationships.
    ///   - unique: Groups of attributes whose values together occur once.
    ///   - projections: Columns computed from several attributes together.
    public init(
        _ name: String,
        parent: String? = nil,
        abstract: Bool = false,
        attributes: [AttributeDescription] = [],
        composites: [CompositeDescription] = [],
        relationships: [RelationshipDescription] = [],
        unique: [[String]] = [],
        projections: [CompoundProjection] = []
    ) {
        self.name = name
        self.parent = parent
        isAbstract = abstract
        self.attributes = attributes
        self.composites = composites
        self.relationships = relationships
        uniqueness = unique
        self.projections = projections
    }

    /// The attributes and the parts of the composites: all that has a column.
    var columns: [AttributeDescription] {
        attributes + composites.flatMap(\.attributes)
    }

    /// Finds an attribute that the entity itself declares.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The attribute; nil if there is none.
    public func attribute(_ name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }
}
