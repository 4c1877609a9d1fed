/// The tables and columns of a Core Data store.
///
/// Core Data derives them from the model by fixed rules, so a store's tables show whether a model belongs to the store.
/// The rules are not documented. They were found by comparing the models and tables of stores.
///
/// - A root entity has a table, which all entities that inherit from it share. Its name is `Z` and the entity's name in
///   uppercase.
/// - Entities are numbered from 1, depth first, siblings in alphabetical order.
/// - Each attribute and to-one relationship has a column, whose name is `Z` and its own name in uppercase. The elements
///   of a composite attribute have such columns in place of the composite. A name that is taken gets a number.
/// - A to-one relationship to an entity with children has another column with the number of the related object's entity.
/// - The position of an object in an ordered relationship is in a column that begins with `Z_FOK_`.
/// - A to-many relationship without an inverse is stored in the table of its destination.
/// - A many-to-many relationship has a table of its own.
public struct CoreDataLayout: Sendable, Hashable {
    /// A table.
    public struct Table: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The columns, sorted by name.
        public let columns: [Column]
    }

    /// A column of a table.
    public struct Column: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The declared type, in uppercase.
        public let type: String
    }

    /// The numbers of the entities, as in the column `Z_ENT`, by name.
    public let numbers: [String: Int64]
    let places: [String: EntityPlace]
    private(set) var pairs: [PairPlace]
    let strays: [StrayPlace]

    /// Creates the layout of a model's stores.
    ///
    /// - Parameter model: The model.
    /// - Throws: `CoreDataError` with the code `invalid-model` if parents or destinations are
    ///   missing, or with the code `limit-exceeded` if there are more than 2,000 entities, or more than 32,767 columns
    ///   in a table.
    public init(_ model: CoreDataModel) throws(CoreDataError) {
        try self.init(model, numbers: [:])
    }

    /// Creates the layout of a store whose entities do not have the numbers that follow from the model.
    init(_ model: CoreDataModel, numbers stated: [String: Int64]) throws(CoreDataError) {
        let order = try EntityOrder(model, numbers: stated)
        var builder = LayoutBuilder(model, order)
        for entity in order.entities { try builder.add(entity) }
        try builder.addManyToMany()
        numbers = order.numbers
        places = builder.places
        pairs = builder.pairs
        strays = builder.strays
    }

    /// Returns the number of the only entity of a table, or `nil` if several entities share the table.
    ///
    /// Core Data looks at the column `Z_ENT` only in the latter case, so in the former it can contain anything.
    func soleEntity(of table: String) -> Int64? {
        let members = places.values.filter { $0.table == table }
        return members.count == 1 ? members.first?.number : nil
    }

    /// Returns the same layout with other names of the tables of pairs and their columns.
    func replacing(pairs: [PairPlace]) -> Self {
        var copy = self
        copy.pairs = pairs
        return copy
    }

    /// The tables of entities and of many-to-many relationships, sorted by name.
    public var tables: [Table] {
        var columns: [String: [Column]] = [:]
        for place in places.values where place.isRoot {
            columns[place.table] = ["Z_PK", "Z_ENT", "Z_OPT"].map { Column(name: $0, type: "INTEGER") }
        }
        for place in places.values {
            columns[place.table, default: []] += place.own.map { Column(name: $0.column, type: $0.type) }
        }
        for stray in strays { columns[stray.table, default: []] += stray.columns }
        for pair in pairs { columns[pair.names[0]] = pair.columns.map { Column(name: $0, type: "INTEGER") } }
        return columns.sorted { $0.key < $1.key }
            .map { Table(name: $0.key, columns: $0.value.sorted { $0.name < $1.name }) }
    }
}

// MARK: - Where things are

/// The columns of an entity's objects.
struct EntityPlace: Sendable, Hashable {
    /// A column that an entity declares.
    struct OwnColumn: Sendable, Hashable {
        let column: String
        let type: String
    }

    /// The column of an attribute or of an element of a composite attribute.
    struct AttributeColumn: Sendable, Hashable {
        /// The name of the attribute, followed by those of elements.
        let path: [String]
        let attribute: CoreDataAttribute
        let column: String
    }

    /// The columns of a to-one relationship.
    struct ReferenceColumn: Sendable, Hashable {
        let relationship: CoreDataRelationship
        let column: String
        /// The column of positions in the inverse relationship, or `nil` if that is not ordered.
        let order: String?
    }

    let name: String
    let number: Int64
    let table: String
    let isRoot: Bool
    let isAbstract: Bool
    /// The columns that the entity itself adds to its table.
    var own: [OwnColumn] = []
    /// The columns of all attributes, inherited ones first.
    var attributes: [AttributeColumn] = []
    /// The columns of all to-one relationships, inherited ones first.
    var references: [ReferenceColumn] = []
}

/// The table of a many-to-many relationship and its inverse.
struct PairPlace: Sendable, Hashable {
    /// One direction of the relationship.
    struct Side: Sendable, Hashable {
        /// The entity that declares the relationship.
        let entity: String
        let relationship: CoreDataRelationship
        /// The column with the objects that the relationship leads to.
        var column: Name
        /// The column with their positions, or `nil` if they are not ordered.
        var order: Name?
    }

    /// The name of a column.
    struct Name: Sendable, Hashable {
        /// The name as it is.
        var text: String
        /// The name without the number that is added to it if it occurs elsewhere.
        let base: String
    }

    /// The possible names of the table.
    ///
    /// A relationship of the entity with the lower number gives the table its name, or, in some stores of iOS 8 and
    /// earlier, its inverse does. Between the objects of one entity, either can.
    var names: [String]
    var first: Side
    /// The inverse relationship.
    var second: Side
    /// Whether the relationship is its own inverse.
    let isOwnInverse: Bool

    var columns: [String] { [second.column, first.column, first.order, second.order].compactMap { $0?.text } }
}

/// The columns of a to-many relationship without an inverse, in the table of its destination.
struct StrayPlace: Sendable, Hashable {
    /// The entity that declares the relationship.
    let entity: String
    let relationship: CoreDataRelationship
    let table: String
    /// The column with the object that has the relationship.
    let column: String
    /// The column with the position, or `nil` if the relationship is not ordered.
    let order: String?

    var columns: [CoreDataLayout.Column] {
        [column, order].compactMap(\.self).map { CoreDataLayout.Column(name: $0, type: "INTEGER") }
    }
}
