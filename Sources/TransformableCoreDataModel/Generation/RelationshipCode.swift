internal import TransformableModel

/// The property of a relationship.
struct RelationshipCode {
    let property: PropertyCode
    let notes: [CoreDataNote]

    init(_ relationship: RelationshipDescription, in entity: String, _ context: CodeContext) {
        let destination = context.names.name(of: relationship.destination)
        let options = Self.options(relationship, in: entity, context)
        let mark = context.type("Relationship", in: "TransformableEntities")
        property = PropertyCode(
            relationship.name,
            mark: "@\(mark)\(SwiftText.parenthesized(options))",
            type: relationship.isToMany ? "[\(destination)]" : "\(destination)?"
        )
        let isItself = relationship.destination == entity && relationship.inverse == relationship.name
        let note = "generated without an inverse, because classes cannot declare a relationship as its own inverse"
        notes = isItself ? [CoreDataNote(entity: entity, property: relationship.name, note)] : []
    }

    private static func options(
        _ relationship: RelationshipDescription,
        in entity: String,
        _ context: CodeContext
    ) -> [String] {
        var options: [String] = []
        if relationship.deleteRule != .nullify { options.append("deleteRule: .\(relationship.deleteRule)") }
        if let inverse = relationship.inverse, context.model.declaresInverse(relationship, in: entity) {
            let destination = context.names.name(of: relationship.destination)
            options.append("inverse: \\\(destination).\(SwiftText.identifier(inverse))")
        }
        if !relationship.isOptional { options.append("isRequired: true") }
        if relationship.isOrdered { options.append("isOrdered: true") }
        if relationship.minimumCount != nil || relationship.maximumCount != nil {
            let most = relationship.maximumCount.map { "\($0)" } ?? ".max"
            options.append("count: \(relationship.minimumCount ?? 0) ... \(most)")
        }
        return options + relationship.renamedFrom.arguments(addedIn: relationship.addedIn)
    }
}

extension FormerNames {
    /// The arguments of `@Entity` and `@Relationship` that state earlier names.
    func arguments(addedIn: Int?) -> [String] {
        let list = names.map { former in
            let name = SwiftText.literal(former.name)
            return former.version.map { ".init(\(name), in: \($0))" } ?? name
        }
        let isLiteral = names.count == 1 && names[0].version == nil
        let former = isLiteral ? list[0] : "[\(list.joined(separator: ", "))]"
        return (names.isEmpty ? [] : ["renamedFrom: \(former)"]) + (addedIn.map { ["addedIn: \($0)"] } ?? [])
    }
}

extension Model {
    /// Whether the class of an entity states the inverse of a relationship.
    ///
    /// Key paths on both sides would refer to each other. The side that leads to many objects states the inverse, and
    /// of two equal sides the one that comes first in alphabetical order.
    func declaresInverse(_ relationship: RelationshipDescription, in entity: String) -> Bool {
        guard let inverse = relationship.inverse, let destination = self.entity(relationship.destination) else {
            return false
        }
        let owner = lineage(of: destination).last { $0.relationships.contains { $0.name == inverse } }
        guard let owner, let back = owner.relationships.first(where: { $0.name == inverse }),
            back.inverse == relationship.name
        else { return true }
        if relationship.isToMany != back.isToMany { return relationship.isToMany }
        return (entity, relationship.name) < (owner.name, back.name)
    }
}
