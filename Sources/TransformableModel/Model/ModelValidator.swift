internal import Foundation
internal import Transformable

/// Checks a model as a whole and lists all faults.
///
/// Checks that require a registry, such as whether an expression can be resolved, are made by `Store.validate`.
struct ModelValidator {
    /// The largest number of entities that an entity can inherit from.
    private static let deepestInheritance = 100

    private(set) var faults: [String] = []
    private var version = 1
    let hasTenants: Bool
    private let entities: [EntityDescription]
    private let fetchRequests: [FetchRequestDescription]
    let byName: [String: EntityDescription]

    init(hasTenants: Bool, entities: [EntityDescription], fetchRequests: [FetchRequestDescription] = []) {
        self.hasTenants = hasTenants
        self.entities = entities
        self.fetchRequests = fetchRequests
        byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    }

    mutating func validate(version: Int) {
        self.version = version
        if version < 1 { faults.append("the version is \(version), but must be at least 1") }
        if entities.count > 1000 { faults.append("there are more than 1,000 entities") }
        if fetchRequests.count > 1000 { faults.append("there are more than 1,000 fetch requests") }
        // The other checks take time in proportion to what the limits allow.
        guard max(entities.count, fetchRequests.count) <= 1000 else { return }
        checkNames(entities.map(\.name), of: "the model")
        for entity in entities where faults.count <= StoreError.faultLimit {
            validate(entity)
        }
        checkNames(fetchRequests.map(\.name), of: "the model's fetch requests")
        for request in fetchRequests {
            if byName[request.entity] == nil {
                faults.append("the fetch request \(request.name) is of “\(request.entity)”, which is not in the model")
            }
            if let fault = request.fault { faults.append("the fetch request \(request.name) \(fault)") }
        }
    }

    private mutating func validate(_ entity: EntityDescription) {
        guard let lineage = lineage(of: entity), isWithinLimits(entity, lineage) else { return }
        let attributes = lineage.flatMap(\.columns)
        let relationships = lineage.flatMap(\.relationships)
        var names = attributes.flatMap { [$0.name] + $0.projections.map(\.name) }
        names += relationships.map(\.name)
        names += lineage.flatMap(\.transientRelationships).map(\.name)
        names += lineage.flatMap(\.composites).map(\.name)
        names += lineage.flatMap(\.projections).map(\.name)
        checkNames(names, of: entity.name)
        validateNames(entity)
        validateTenancy(of: entity, lineage)
        for attribute in entity.columns {
            validate(attribute, of: entity.name)
        }
        for composite in entity.composites {
            validate(composite, of: entity.name)
        }
        for relationship in entity.relationships {
            validate(relationship, of: entity)
        }
        for relationship in entity.transientRelationships where byName[relationship.destination] == nil {
            let name = "\(entity.name).\(relationship.name)"
            faults.append("\(name) has the destination “\(relationship.destination)”, which is not in the model")
        }
        for projection in entity.projections { validate(projection, among: attributes, of: entity.name) }
        for group in entity.uniqueness {
            validate(group, among: attributes, relationships, of: entity.name)
        }
        let projections = lineage.flatMap(\.projections).map(\.name)
        for index in entity.indexes {
            validate(index, among: attributes, relationships, projections, of: entity.name)
        }
        for attribute in entity.columns {
            if let derivation = attribute.derivation {
                validate(derivation, of: attribute, among: attributes, relationships, of: entity.name)
            }
        }
    }

    /// Checks the limits for what an entity declares and inherits, before anything is computed from it.
    private mutating func isWithinLimits(_ entity: EntityDescription, _ lineage: [EntityDescription]) -> Bool {
        let before = faults.count
        let count = lineage.reduce(0) { $0 + $1.declarationCount }
        if count > 500 { faults.append("\(entity.name) has more than 500 attributes and relationships") }
        let indexCount = lineage.reduce(0) { $0 + $1.indexes.count }
        if indexCount > 100 { faults.append("\(entity.name) has more than 100 indexes") }
        let groupCount = lineage.reduce(0) { $0 + $1.uniqueness.count }
        if groupCount > 100 { faults.append("\(entity.name) has more than 100 unique groups") }
        // The fault of an ancestor is reported once, with that ancestor.
        if let name = entity.nameWithManyFormerNames {
            faults.append("\(name) has more than \(FormerNames.limit) former names")
        }
        return faults.count == before && lineage.allSatisfy { $0.nameWithManyFormerNames == nil }
    }

    /// Checks the former names and versions that an entity, its attributes, and its relationships state.
    private mutating func validateNames(_ entity: EntityDescription) {
        let parts =
            entity.columns.map { ($0.name, $0.renamedFrom, $0.addedIn) }
            + entity.relationships.map { ($0.name, $0.renamedFrom, $0.addedIn) }
        let all =
            [(entity.name, entity.renamedFrom, entity.addedIn)] + parts.map { ("\(entity.name).\($0.0)", $0.1, $0.2) }
        for (name, former, added) in all {
            if let reason = former.fault(addedIn: added, modelVersion: version) { faults.append("\(name) \(reason)") }
        }
        for composite in entity.composites {
            if let reason = composite.nameFault(modelVersion: version) {
                faults.append("\(entity.name).\(composite.name) \(reason)")
            }
        }
    }

    /// Returns the entity and its parents, topmost first, or `nil` if the chain of parents has a fault.
    private mutating func lineage(of entity: EntityDescription) -> [EntityDescription]? {
        var lineage = [entity]
        while let last = lineage.last, let parent = last.parent {
            guard let next = byName[parent] else {
                faults.append("\(last.name) has a parent “\(parent)” that is not in the model")
                return nil
            }
            guard !lineage.contains(where: { $0.name == parent }) else {
                faults.append("\(entity.name) inherits from itself")
                return nil
            }
            guard lineage.count <= Self.deepestInheritance else {
                faults.append("\(entity.name) inherits from more than \(Self.deepestInheritance) entities")
                return nil
            }
            lineage.append(next)
        }
        return lineage.reversed()
    }

    mutating func add(_ fault: String) {
        faults.append(fault)
    }

    private mutating func checkNames(_ names: [String], of owner: String) {
        var seen: Set<String> = []
        for name in names {
            if let reason = Self.fault(ofName: name) {
                faults.append("\(owner): the name “\(name)” \(reason)")
            } else if !seen.insert(name.lowercased()).inserted {
                faults.append("\(owner): the name “\(name)” is used twice, or differs only in case")
            }
        }
    }

    static func fault(ofName name: String) -> String? {
        guard let first = name.unicodeScalars.first else { return "is empty" }
        if name.utf8.count > 128 { return "is longer than 128 bytes" }
        if name.hasPrefix("_") { return "begins with “_”, which is reserved for the store" }
        if name.lowercased().hasPrefix("sqlite_") { return "begins with “sqlite_”, which is reserved for SQLite" }
        let isWord = name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
        guard isWord, first.properties.isXIDStart else {
            return "must begin with a letter and contain only letters, digits, and “_”"
        }
        return name.utf8.elementsEqual(name.composed.utf8) ? nil : "must be in Unicode's composed form (NFC)"
    }
}

// MARK: - Attributes

extension ModelValidator {
    private mutating func validate(_ attribute: AttributeDescription, of entity: String) {
        let name = "\(entity).\(attribute.name)"
        if attribute.type == .transformed {
            checkExpression(attribute.storedExpression, of: name)
        } else if attribute.transformer != nil {
            faults.append("\(name) has a transformer, but its type is “\(attribute.type.rawValue)”")
        }
        if attribute.type == .undefined, !attribute.isTransient {
            faults.append("\(name) has the type “undefined”, so it must be transient")
        }
        for projection in attribute.projections {
            checkExpression(projection.transformer, of: "\(name), projection \(projection.name)")
        }
        validateColumn(attribute, name)
        validateRules(attribute, name)
        if let value = attribute.defaultValue, let reason = value.fault(for: attribute.type) {
            faults.append("\(name) has a default that \(reason)")
        }
    }

    private mutating func validate(
        _ projection: CompoundProjection,
        among attributes: [AttributeDescription],
        of entity: String
    ) {
        let name = "\(entity), projection \(projection.name)"
        checkExpression(projection.transformer, of: name)
        for part in projection.parts {
            if let expression = part.transformer { checkExpression(expression, of: "\(name), \(part.attribute)") }
            guard let attribute = attributes.first(where: { $0.name == part.attribute }) else {
                faults.append("\(name) uses an attribute “\(part.attribute)” that the entity does not have")
                continue
            }
            if attribute.isTransient || attribute.derivation != nil {
                faults.append("\(name) uses “\(part.attribute)”, which is transient or derived")
            }
        }
        let isCompound = (2...16).contains(projection.parts.count)
        if !isCompound || Set(projection.parts.map(\.attribute)).count != projection.parts.count {
            faults.append("\(name) must use 2 to 16 different attributes")
        }
    }

    private mutating func validate(_ composite: CompositeDescription, of entity: String) {
        let name = "\(entity).\(composite.name)"
        if composite.parts.isEmpty { faults.append("\(name) is a composite without parts") }
        for part in composite.parts where part.isTransient || part.derivation != nil {
            let remedy = "must be a stored attribute, not a transient or derived one"
            faults.append("the part “\(part.name)” of \(name) \(remedy)")
        }
    }

    private mutating func checkExpression(_ text: String, of name: String) {
        do throws(TransformerError) {
            _ = try TransformerExpression(text)
        } catch {
            faults.append("\(name): the expression “\(text)” is invalid: \(error)")
        }
    }

    private mutating func validateColumn(_ attribute: AttributeDescription, _ name: String) {
        let isStored = !attribute.isTransient
        let asked = attribute.isIndexed || attribute.isUnique
        if asked, attribute.type == .transformed {
            faults.append("\(name) is indexed or unique, but transformed bytes have no order: use a projection")
        }
        if !isStored, asked || attribute.externalThreshold != nil || !attribute.projections.isEmpty {
            faults.append("\(name) is transient, so it cannot have an index, a projection, or external storage")
        }
        if !isStored, attribute.validation != .none {
            faults.append("\(name) is transient, so its rules would never be checked")
        }
        guard let threshold = attribute.externalThreshold else { return }
        if attribute.type != .data, attribute.type != .transformed {
            faults.append("\(name) is stored externally, but only data and transformed attributes can be")
        }
        if asked { faults.append("\(name) is indexed or unique, but stored externally, where SQL cannot compare it") }
        if threshold < 0 { faults.append("\(name) has a negative threshold for external storage") }
    }

    private mutating func validateRules(_ attribute: AttributeDescription, _ name: String) {
        let rules = attribute.validation
        let isNumber = attribute.type.integers != nil || [.float, .double, .decimal].contains(attribute.type)
        if rules.minimum != nil || rules.maximum != nil, !isNumber {
            faults.append("\(name) has a range, but is not a number")
        }
        if !((rules.minimum ?? -.infinity) <= (rules.maximum ?? .infinity)) {
            faults.append("\(name) has an empty range")
        }
        if rules.minimumLength != nil || rules.maximumLength != nil, ![.string, .data].contains(attribute.type) {
            faults.append("\(name) has a length, but is neither text nor data")
        }
        if (rules.minimumLength ?? 0) < 0 || (rules.maximumLength ?? .max) < (rules.minimumLength ?? 0) {
            faults.append("\(name) has an empty range of lengths")
        }
        guard let pattern = rules.pattern else { return }
        if attribute.type != .string {
            faults.append("\(name) has a pattern, but is not text")
        } else if (try? ValueRules.expression(pattern)) == nil {
            faults.append("\(name) has a pattern that is not a valid regular expression")
        }
    }
}

extension EntityDescription {
    /// The number of its attributes, including the parts of composites, and relationships.
    fileprivate var declarationCount: Int {
        attributes.count + composites.reduce(0) { $0 + $1.parts.count } + relationships.count
            + transientRelationships.count
    }

    /// The name of the entity, or of something that it declares, if it has more former names than it can have.
    fileprivate var nameWithManyFormerNames: String? {
        let limit = FormerNames.limit
        if renamedFrom.names.count > limit { return name }
        let members = attributes.map { ($0.name, $0.renamedFrom) } + relationships.map { ($0.name, $0.renamedFrom) }
        let member = members.first { $0.1.names.count > limit }?.0
        return (member ?? composites.first(where: \.hasManyFormerNames)?.name).map { "\(name).\($0)" }
    }
}
