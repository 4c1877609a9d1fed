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
        modules = builder.modules.union(builder.inheritedModules)
        notes = builder.notes
    }
}

private struct ClassCodeBuilder {
    private let entity: EntityDescription
    private let context: CodeContext
    private var properties: [PropertyCode] = []
    private var methods: [String] = []
    /// The modules that declare the types of values that the initializer takes, apart from those of the parent.
    private var valueModules: Set<String> = []
    private(set) var modules: Set = ["TransformableEntities"]
    private(set) var notes: [CoreDataNote] = []

    init(_ entity: EntityDescription, _ context: CodeContext) {
        self.entity = entity
        self.context = context
    }

    mutating func addProperties() {
        for attribute in entity.attributes {
            add(AttributeCode(attribute, in: entity.name, context))
        }
        for composite in entity.composites {
            note(composite.name, "the composite was generated as one property for each of its parts")
            for attribute in composite.attributes { add(AttributeCode(attribute, in: entity.name, context)) }
        }
        for relationship in entity.relationships {
            let code = RelationshipCode(relationship, in: entity.name, context)
            if add(code.property) { notes += code.notes }
        }
        for relationship in entity.transientRelationships { add(relationship) }
        for projection in entity.projections where !canDeclare(projection) {
            note(projection.name, "left out the projection, because the class lacks some of its attributes")
        }
        for group in entity.uniqueness where !canDeclare(group) { noteGroup("the uniqueness rule for", group) }
        for index in entity.indexes.map({ $0.map(\.name) }) where !canDeclare(index) {
            noteGroup("the index of", index)
        }
        for request in context.model.fetchRequests where request.entity == entity.name { add(request) }
    }

    private mutating func add(_ attribute: AttributeCode) {
        guard add(attribute.property) else { return }
        notes += attribute.notes
        guard let module = attribute.module else { return }
        modules.insert(module)
        if attribute.property.needsValue { valueModules.insert(module) }
    }

    private mutating func add(_ property: PropertyCode) -> Bool {
        guard !PropertyCode.unavailable.contains(property.name) else {
            let reason = "classes cannot have a property with this name"
            note(property.name, "left out the property, because \(reason); rename it in the model")
            return false
        }
        properties.append(property)
        return true
    }

    private mutating func add(_ relationship: TransientRelationship) {
        let destination = context.names.name(of: relationship.destination)
        let property = PropertyCode(
            relationship.name,
            mark: "@\(context.type("Transient", in: "TransformableEntities"))",
            type: relationship.isToMany ? "[\(destination)]" : "\(destination)?",
            initial: relationship.isToMany ? "[]" : nil
        )
        _ = add(property)
    }

    private mutating func add(_ request: FetchRequestDescription) {
        let isTaken = properties.contains { $0.name == request.name }
        if !isTaken, let code = FetchRequestCode(request, context) {
            methods.append(code.text)
            if !request.order.isEmpty { modules.insert("Foundation") }
        } else {
            note(request.name, "left out the fetch request, which cannot be generated as a method; run it by name")
        }
    }

    /// Whether the class has all properties that an index or a uniqueness rule names.
    private func canDeclare(_ names: [String]) -> Bool {
        let projections = context.model.lineage(of: entity).flatMap(\.projections)
        let leftOut = projections.filter { !canDeclare($0) }.map(\.name)
        return PropertyCode.unavailable.union(leftOut).isDisjoint(with: names)
    }

    /// Whether the class has all attributes that a projection is computed from.
    private func canDeclare(_ projection: CompoundProjection) -> Bool {
        PropertyCode.unavailable.isDisjoint(with: projection.parts.map(\.attribute))
    }

    private mutating func noteGroup(_ what: String, _ names: [String]) {
        let list = names.joined(separator: ", ")
        let text = "left out \(what) \(list), because the class lacks some of these properties"
        notes.append(CoreDataNote(entity: entity.name, text))
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
            \(context.access)nonisolated \(isFinal ? "final " : "")class \(name)\(superclass) {
            \(members)\(members.isEmpty ? "" : "\n")\(([initializer] + methods).joined(separator: "\n"))}

            """
    }

    /// Whether no class can inherit from the class.
    ///
    /// A class without children can be abstract in a model, too.
    private var isFinal: Bool {
        !entity.isAbstract && !context.model.entities.contains { $0.parent == entity.name }
    }

    /// The inheritance clause, or an empty string.
    private var superclass: String { entity.parent.map { ": \(context.names.name(of: $0))" } ?? "" }

    /// The arguments of `@Entity`.
    private var arguments: String {
        let name = context.names.name(of: entity.name)
        var list = name == entity.name ? [] : [SwiftText.literal(entity.name)]
        if entity.isAbstract { list.append("isAbstract: true") }
        list += entity.renamedFrom.arguments(addedIn: entity.addedIn)
        list += Self.argument("unique", entity.uniqueness.filter(canDeclare)) { SwiftText.literal($0) }
        list += Self.argument("indexes", entity.indexes.filter { canDeclare($0.map(\.name)) }) { key in
            ".\(key.isDescending ? "descending" : "ascending")(\(SwiftText.literal(key.name)))"
        }
        let projections = entity.projections.filter(canDeclare).map(Self.code)
        if !projections.isEmpty { list.append("projections: [\(projections.joined(separator: ", "))]") }
        if entity.authenticatesRows { list.append("authenticatesRows: true") }
        if entity.isShared { list.append("isShared: true") }
        return SwiftText.parenthesized(list)
    }

    /// Returns an argument whose value is a list of lists, or nothing if the list is empty.
    private static func argument<Element>(
        _ label: String,
        _ groups: [[Element]],
        _ code: (Element) -> String
    ) -> [String] {
        let lists = groups.map { "[\($0.map(code).joined(separator: ", "))]" }
        return lists.isEmpty ? [] : ["\(label): [\(lists.joined(separator: ", "))]"]
    }

    private static func code(_ projection: CompoundProjection) -> String {
        let parts = projection.parts.map { part in
            let name = SwiftText.literal(part.attribute)
            return part.transformer.map { ".init(\(name), through: \(SwiftText.literal($0)))" } ?? name
        }
        var list = [
            SwiftText.literal(projection.name), "of: [\(parts.joined(separator: ", "))]",
            SwiftText.literal(projection.transformer),
        ]
        if !projection.isIndexed { list.append("indexed: false") }
        if projection.reveals { list.append("reveals: true") }
        return ".init(\(list.joined(separator: ", ")))"
    }

    /// The initializer, which takes the values of the parent first.
    private var initializer: String {
        let required = properties.filter(\.needsValue)
        let inherited = inheritedValues
        let parameters = (inherited + required).map(\.parameter).joined(separator: ", ")
        let overrides = entity.parent != nil && required.isEmpty ? "override " : ""
        let arguments = inherited.map(\.argument).joined(separator: ", ")
        let start = entity.parent == nil ? [] : ["        super.init(\(arguments))\n"]
        let body = (start + required.map { "        \($0.assignment)\n" }).joined()
        let block = body.isEmpty ? "{}" : "{\n\(body)    }"
        return "    \(context.access)\(overrides)init(\(parameters)) \(block)\n"
    }

    /// The properties that the initializer of the parent takes.
    private var inheritedValues: [PropertyCode] {
        guard let parent = parentBuilder else { return [] }
        return parent.inheritedValues + parent.properties.filter(\.needsValue)
    }

    /// The modules that declare the types of these properties.
    var inheritedModules: Set<String> {
        guard let parent = parentBuilder else { return [] }
        return parent.inheritedModules.union(parent.valueModules)
    }

    private var parentBuilder: Self? {
        guard let parent = entity.parent.flatMap(context.entity) else { return nil }
        var builder = Self(parent, context)
        builder.addProperties()
        return builder
    }
}
