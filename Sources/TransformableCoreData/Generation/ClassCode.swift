internal import TransformableModel

/// The class of an entity.
struct ClassCode {
    /// The name of the class.
    let name: String
    /// The declaration of the class.
    let text: String
    /// The modules that the declaration uses.
    let modules: Set<String>
    /// What the class does not say, or says differently.
    let notes: [CoreDataNote]

    init(_ entity: EntityDescription, _ context: CodeContext) {
        var builder = ClassCodeBuilder(entity, context)
        builder.addProperties()
        name = context.names.name(of: entity.name)
        text = builder.text
        modules = builder.modules
        notes = builder.notes
    }
}

private struct ClassCodeBuilder {
    private let entity: EntityDescription
    private let context: CodeContext
    private var properties: [PropertyCode] = []
    private(set) var modules: Set = ["TransformableEntities"]
    private(set) var notes: [CoreDataNote] = []

    init(_ entity: EntityDescription, _ context: CodeContext) {
        self.entity = entity
        self.context = context
    }

    mutating func addProperties() {
        if let parent = entity.parent {
            notes.append(CoreDataNote(entity: entity.name, "inherits from \(parent), generated with its properties"))
        }
        for ancestor in context.model.lineage(of: entity) { addProperties(of: ancestor) }
    }

    private mutating func addProperties(of owner: EntityDescription) {
        for attribute in owner.attributes {
            add(AttributeCode(attribute, in: entity.name, context))
        }
        for composite in owner.composites {
            note(composite.name, "a composite, generated as one property for each of its parts")
            for attribute in composite.attributes { add(AttributeCode(attribute, in: entity.name, context)) }
        }
        for relationship in owner.relationships {
            var relationship = relationship
            // The inverse leads to the parent.
            if owner.name != entity.name { relationship.inverse = nil }
            let code = RelationshipCode(relationship, in: entity.name, context)
            if add(code.property) { notes += code.notes }
        }
        for projection in owner.projections {
            note(projection.name, "a projection of several attributes, which classes cannot declare, left out")
        }
    }

    private mutating func add(_ attribute: AttributeCode) {
        guard add(attribute.property) else { return }
        notes += attribute.notes
        if let module = attribute.module { modules.insert(module) }
    }

    private mutating func add(_ property: PropertyCode) -> Bool {
        guard !PropertyCode.unavailable.contains(property.name) else {
            note(property.name, "classes cannot have a property with this name, left out; rename it in the model")
            return false
        }
        properties.append(property)
        return true
    }

    private mutating func note(_ property: String, _ text: String) {
        notes.append(CoreDataNote(entity: entity.name, property: property, text))
    }

    // MARK: - Rendering

    var text: String {
        let name = context.names.name(of: entity.name)
        let members = properties.map { "    \($0.declaration(context.access))\n" }.joined()
        return """
            @\(context.type("Entity", in: "TransformableEntities"))\(arguments)
            \(context.access)nonisolated final class \(name) {
            \(members)\(members.isEmpty ? "" : "\n")\(initializer)}

            """
    }

    /// The arguments of `@Entity`.
    private var arguments: String {
        let name = context.names.name(of: entity.name)
        var list = name == entity.name ? [] : [SwiftText.literal(entity.name)]
        list += entity.renamedFrom.arguments(addedIn: entity.addedIn)
        if !entity.uniqueness.isEmpty {
            let groups = entity.uniqueness.map { "[\($0.map { SwiftText.literal($0) }.joined(separator: ", "))]" }
            list.append("unique: [\(groups.joined(separator: ", "))]")
        }
        if entity.authenticatesRows { list.append("authenticatesRows: true") }
        return SwiftText.parenthesized(list)
    }

    private var initializer: String {
        let required = properties.filter(\.needsValue)
        let parameters = required.map(\.parameter).joined(separator: ", ")
        guard !required.isEmpty else { return "    \(context.access)init() {}\n" }
        let assignments = required.map { "        \($0.assignment)\n" }.joined()
        return "    \(context.access)init(\(parameters)) {\n\(assignments)    }\n"
    }
}
