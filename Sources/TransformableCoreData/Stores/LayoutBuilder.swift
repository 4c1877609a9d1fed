/// Derives the tables and columns of a store from a model.
struct LayoutBuilder {
    private enum Property {
        case attribute(CoreDataAttribute)
        case relationship(CoreDataRelationship)

        var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
    }

    /// Each entity repeats the columns that it inherits.
    private static let mostColumns = 1_000_000
    /// The number of columns that no table of SQLite can exceed.
    private static let mostColumnsOfTable = 32_767

    private let order: EntityOrder
    private let entities: [String: CoreDataEntity]
    /// The names of columns that are in use, by table.
    private var used: [String: UniqueNames] = [:]
    private var columnCount = 0
    private(set) var places: [String: EntityPlace] = [:]
    private(set) var pairs: [PairPlace] = []
    private(set) var strays: [StrayPlace] = []

    init(_ model: CoreDataModel, _ order: EntityOrder) {
        self.order = order
        entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Adds the columns of an entity, after those of the entities before it.
    mutating func add(_ entity: CoreDataEntity) throws(CoreDataError) {
        let parent = entity.parent.flatMap { places[$0] }
        let table = parent?.table ?? "Z\(entity.name.uppercased())"
        if parent == nil { used[table] = UniqueNames(["Z_PK", "Z_ENT", "Z_OPT"]) }
        var place = EntityPlace(
            name: entity.name,
            number: order.number(entity.name),
            table: table,
            isRoot: parent == nil,
            isAbstract: entity.isAbstract
        )
        place.attributes = parent?.attributes ?? []
        place.references = parent?.references ?? []
        let properties =
            entity.attributes.filter { !$0.isTransient }.map(Property.attribute)
            + entity.relationships.filter { !$0.isTransient }.map(Property.relationship)
        for property in properties.sorted(by: { EntityOrder.precedes($0.name, $1.name) }) {
            switch property {
            case .attribute(let attribute): try add(attribute, [attribute.name], to: &place)
            case .relationship(let relationship): try add(relationship, to: &place)
            }
        }
        places[entity.name] = place
        columnCount += place.attributes.count + place.references.count
        guard columnCount <= Self.mostColumns else {
            throw CoreDataError(.limitExceeded, "the entities have more than \(Self.mostColumns) columns")
        }
    }

    /// Returns an unused name for a column.
    private mutating func unique(_ name: String, in table: String) throws(CoreDataError) -> String {
        let column = used[table, default: UniqueNames()].add(name)
        guard used[table]?.count ?? 0 <= Self.mostColumnsOfTable else {
            throw CoreDataError(.limitExceeded, "the table “\(table)” has more than \(Self.mostColumnsOfTable) columns")
        }
        return column
    }

    private mutating func add(
        _ attribute: CoreDataAttribute,
        _ path: [String],
        to place: inout EntityPlace
    ) throws(CoreDataError) {
        guard attribute.type != .composite else {
            for element in attribute.elements { try add(element, path + [element.name], to: &place) }
            return
        }
        guard let type = attribute.type.columnType else { return }
        let column = try unique("Z\(attribute.name.uppercased())", in: place.table)
        place.own.append(EntityPlace.OwnColumn(column: column, type: type))
        place.attributes.append(EntityPlace.AttributeColumn(path: path, attribute: attribute, column: column))
    }

    private mutating func add(
        _ relationship: CoreDataRelationship,
        to place: inout EntityPlace
    ) throws(CoreDataError) {
        guard entities[relationship.destination] != nil else {
            let reason = "its destination “\(relationship.destination)” is missing"
            throw CoreDataError(.invalidModel, reason, entity: place.name, property: relationship.name)
        }
        guard !relationship.isToMany else { return }
        let name = relationship.name.uppercased()
        let column = try unique("Z\(name)", in: place.table)
        var added = [column]
        if order.hasChildren(relationship.destination) {
            added.append(try unique("Z\(order.number(relationship.destination))_\(name)", in: place.table))
        }
        let inverse = try inverse(of: relationship, in: place.name)
        let isOrdered = inverse.map { $0.relationship.isToMany && $0.relationship.isOrdered } ?? false
        let position = try isOrdered ? unique("Z_FOK_\(name)", in: place.table) : nil
        added += [position].compactMap(\.self)
        place.own += added.map { EntityPlace.OwnColumn(column: $0, type: "INTEGER") }
        place.references.append(
            EntityPlace.ReferenceColumn(relationship: relationship, column: column, order: position)
        )
    }

    /// Returns the inverse of a relationship, with the entity that declares it.
    private func inverse(
        of relationship: CoreDataRelationship,
        in entity: String
    ) throws(CoreDataError) -> (entity: String, relationship: CoreDataRelationship)? {
        guard let name = relationship.inverse else { return nil }
        var next = entities[relationship.destination]
        // Parents lead to a root, as the order of the entities has shown.
        while let ancestor = next {
            if let inverse = ancestor.relationships.first(where: { $0.name == name }) {
                return (ancestor.name, inverse)
            }
            next = ancestor.parent.flatMap { entities[$0] }
        }
        let reason = "its inverse “\(name)” is missing in “\(relationship.destination)”"
        throw CoreDataError(.invalidModel, reason, entity: entity, property: relationship.name)
    }
}

// MARK: - To-many relationships

extension LayoutBuilder {
    /// Adds what to-many relationships need outside of the tables of their own entities.
    mutating func addManyToMany() throws(CoreDataError) {
        var names = UniqueNames()
        for entity in order.entities {
            let stored = entity.relationships.filter { $0.isToMany && !$0.isTransient }
            for relationship in stored.sorted(by: { EntityOrder.precedes($0.name, $1.name) }) {
                guard let inverse = try inverse(of: relationship, in: entity.name) else {
                    try addStray(relationship, of: entity.name)
                    continue
                }
                guard inverse.relationship.isToMany, isFirst(entity.name, relationship, inverse) else { continue }
                addPair((entity.name, relationship), inverse, &names)
            }
        }
    }

    /// Returns a Boolean value that indicates whether a relationship, rather than its inverse, gives the table its name.
    private func isFirst(
        _ entity: String,
        _ relationship: CoreDataRelationship,
        _ inverse: (entity: String, relationship: CoreDataRelationship)
    ) -> Bool {
        guard entity == inverse.entity else { return order.number(entity) < order.number(inverse.entity) }
        return !EntityOrder.precedes(relationship.name, inverse.relationship.name)
    }

    private mutating func addPair(
        _ own: (entity: String, relationship: CoreDataRelationship),
        _ inverse: (entity: String, relationship: CoreDataRelationship),
        _ names: inout UniqueNames
    ) {
        let (number, other) = (order.number(own.entity), order.number(inverse.entity))
        let (name, back) = (own.relationship.name.uppercased(), inverse.relationship.name.uppercased())
        let isOwnInverse = own == inverse
        let mirror = PairPlace.Name(text: "REFLEXIVE", base: "REFLEXIVE")
        func unique(_ name: String) -> PairPlace.Name {
            PairPlace.Name(text: names.add(name), base: name)
        }
        let backColumn = isOwnInverse ? mirror : unique("Z_\(number)\(back)")
        let column = unique("Z_\(other)\(name)")
        pairs.append(
            PairPlace(
                names: ["Z_\(number)\(name)"] + (isOwnInverse ? [] : ["Z_\(other)\(back)"]),
                first: PairPlace.Side(
                    entity: own.entity,
                    relationship: own.relationship,
                    column: column,
                    order: own.relationship.isOrdered ? unique("Z_FOK_\(other)\(name)") : nil
                ),
                second: PairPlace.Side(
                    entity: inverse.entity,
                    relationship: inverse.relationship,
                    column: backColumn,
                    order: inverse.relationship.isOrdered && !isOwnInverse ? unique("Z_FOK_\(number)\(back)") : nil
                ),
                isOwnInverse: isOwnInverse
            )
        )
    }

    private mutating func addStray(
        _ relationship: CoreDataRelationship,
        of entity: String
    ) throws(CoreDataError) {
        guard let table = places[relationship.destination]?.table else { return }
        let name = "\(order.number(entity))\(relationship.name.uppercased())"
        let column = try unique("Z\(name)", in: table)
        let position = try relationship.isOrdered ? unique("Z_FOK_\(name)", in: table) : nil
        strays.append(
            StrayPlace(
                entity: entity,
                relationship: relationship,
                table: table,
                column: column,
                order: position
            )
        )
    }
}

extension CoreDataAttributeType {
    /// The declared type of a column, or `nil` if values of the type are never stored.
    var columnType: String? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .float: "FLOAT"
        case .date: "TIMESTAMP"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .binary, .transformable, .uuid: "BLOB"
        case .undefined, .objectID, .composite: nil
        }
    }
}

/// Names of which each is used once: a name that is taken gets a number.
///
/// The number that is tried next is remembered for each name, so that thousands of columns with the same name do not take
/// forever.
private struct UniqueNames {
    private var used: Set<String>
    private var numbers: [String: Int] = [:]

    init(_ names: Set<String> = []) {
        used = names
    }

    var count: Int { used.count }

    /// Adds a name, and returns it with the lowest number that makes it unique.
    mutating func add(_ name: String) -> String {
        guard !used.insert(name).inserted else { return name }
        var number = numbers[name] ?? 1
        while !used.insert("\(name)\(number)").inserted { number += 1 }
        numbers[name] = number + 1
        return "\(name)\(number)"
    }
}
