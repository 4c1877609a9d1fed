extension CompiledModelReader {
    private static let depthLimit = 8
    private static let (externalStorageFlag, preservationFlag) = (4, 16)

    mutating func attribute(
        _ object: CompiledObject,
        _ name: String,
        place: CoreDataNote,
        depth: Int
    ) throws(CoreDataError) -> CoreDataAttribute {
        let number = object["NSAttributeType"]?.integer ?? 0
        guard let type = CoreDataAttributeType(rawValue: number) else {
            throw Self.fault("the attribute type \(number) is unknown", entity: place.entity, property: place.property)
        }
        var attribute = CoreDataAttribute(name, type, optional: object["NSIsOptional"]?.boolean ?? false)
        attribute.isTransient = object["NSIsTransient"]?.boolean ?? false
        attribute.isIndexed = object["NSIsIndexed"]?.boolean ?? false
        attribute.transformerName = object.text("NSValueTransformerName")
        if type == .transformable { attribute.className = object.text("NSAttributeValueClassName") }
        readFlags(object["NSFlagsKey"]?.integer ?? 0, into: &attribute, place: place)
        attribute.isIndexedBySpotlight = object["NSIndexedBySpotlight"]?.boolean ?? false
        attribute.renamingIdentifier = Self.renaming(object, name)
        attribute.versionHashModifier = object.text("NSVersionHashModifier")
        attribute.userInfo = try userInfo(of: object)
        attribute.defaultValue = object["NSDefaultValue"].flatMap { CoreDataDefaultValue(compiled: $0, type) }
        try readValidation(of: object, into: &attribute, place: place)
        readDerivation(of: object, into: &attribute, place: place)
        if type == .composite { try readElements(of: object, into: &attribute, place: place, depth: depth) }
        return attribute
    }

    private mutating func readFlags(_ flags: Int, into attribute: inout CoreDataAttribute, place: CoreDataNote) {
        attribute.allowsExternalStorage = flags & Self.externalStorageFlag != 0
        attribute.preservesValueOnDeletion = flags & Self.preservationFlag != 0
        let rest = flags & ~(Self.externalStorageFlag | Self.preservationFlag)
        if rest != 0 { note("the flags \(rest) are unknown and were ignored", place) }
    }

    private mutating func readElements(
        of object: CompiledObject,
        into attribute: inout CoreDataAttribute,
        place: CoreDataNote,
        depth: Int
    ) throws(CoreDataError) {
        guard depth <= Self.depthLimit else {
            let message = "composites are nested more than \(Self.depthLimit) levels deep"
            throw CoreDataError(.limitExceeded, message, entity: place.entity, property: place.property)
        }
        var seen: Set<String> = []
        for element in try members(object["NSCompositeElements"]) {
            guard let name = element["NSPropertyName"]?.string else {
                throw Self.fault("an element has no name", entity: place.entity, property: place.property)
            }
            guard seen.insert(name).inserted else {
                throw Self.fault("it has two elements “\(name)”", entity: place.entity, property: place.property)
            }
            attribute.elements.append(try self.attribute(element, name, place: place, depth: depth + 1))
        }
    }

    private mutating func readValidation(
        of object: CompiledObject,
        into attribute: inout CoreDataAttribute,
        place: CoreDataNote
    ) throws(CoreDataError) {
        for predicate in try members(object["NSValidationPredicates"]) {
            let isConjunction =
                predicate.className == "NSCompoundPredicate" && predicate["NSCompoundPredicateType"]?.integer == 1
            let rules = try isConjunction ? members(predicate["NSSubpredicates"]) : [predicate]
            for rule in rules where !Self.readRule(rule, into: &attribute) {
                let text = CompiledPredicate.text(of: rule).map { " “\($0)”" } ?? ""
                note("the validation rule\(text) cannot be read from a compiled model and was dropped", place)
            }
        }
    }

    /// Reads a comparison of the value, or of the length of text, and returns whether it is a rule.
    private static func readRule(_ rule: CompiledObject, into attribute: inout CoreDataAttribute) -> Bool {
        let subject = rule["NSLeftExpression"].flatMap { $0.className == "NSSelfExpression" ? "" : $0.expressionText }
        let limit = rule["NSRightExpression"]?["NSConstantValue"]
        let isMeasured = attribute.type == .string ? subject == "length" : subject == ""
        let value = isMeasured ? limit.flatMap { ruleText($0, attribute.type) } : nil
        switch (rule["NSPredicateOperator"]?["NSOperatorType"]?.integer, value) {
        case (3, .some(let value)): attribute.minimum = value
        case (1, .some(let value)): attribute.maximum = value
        case (6, _) where subject == "" && limit?.string != nil: attribute.pattern = limit?.string
        default: return false
        }
        return true
    }

    private static func ruleText(_ limit: CompiledObject, _ type: CoreDataAttributeType) -> String? {
        if type == .date { return limit.date.map { CoreDataDefaultValue.canonicalNumber(String($0)) } }
        return CoreDataDefaultValue(compiled: limit, .decimal)?.ruleText
    }

    private mutating func readDerivation(
        of object: CompiledObject,
        into attribute: inout CoreDataAttribute,
        place: CoreDataNote
    ) {
        guard object.className == "NSDerivedAttributeDescription" else { return }
        let expression = object["NSDerivationExpression"]?.expressionText
        let predicate = object["NSFilteringPredicate"]
        let text = predicate.map { CompiledPredicate.text(of: $0) ?? "an unknown predicate" }
        attribute.derivation = CoreDataDerivation(expression ?? "", predicate: text)
        if expression == nil { note("its derivation cannot be read from a compiled model", place) }
    }

    mutating func relationship(
        _ object: CompiledObject,
        _ name: String,
        place: CoreDataNote
    ) throws(CoreDataError) -> CoreDataRelationship {
        let destination =
            object.text("_NSDestinationEntityName") ?? object["NSDestinationEntity"].flatMap { self.name(of: $0) }
        guard let destination else {
            throw Self.fault("the relationship has no destination", entity: place.entity, property: name)
        }
        let maximum = object["NSMaxCount"]?.integer ?? 0
        var relationship = CoreDataRelationship(
            name,
            to: destination,
            toMany: maximum != 1,
            ordered: object["NSIsOrdered"]?.boolean ?? false,
            optional: object["NSIsOptional"]?.boolean ?? false,
            inverse: object.text("_NSInverseRelationshipName")
                ?? object["NSInverseRelationship"]?["NSPropertyName"]?.string
        )
        if relationship.isToMany {
            relationship.minimumCount = max(0, object["NSMinCount"]?.integer ?? 0)
            relationship.maximumCount = max(0, maximum)
        }
        relationship.isTransient = object["NSIsTransient"]?.boolean ?? false
        relationship.isIndexed = object["NSIsIndexed"]?.boolean ?? false
        let rule = object["NSDeleteRule"]?.integer ?? CoreDataDeleteRule.nullify.rawValue
        guard let deleteRule = CoreDataDeleteRule(rawValue: rule) else {
            throw Self.fault("the delete rule \(rule) is unknown", entity: place.entity, property: name)
        }
        relationship.deleteRule = deleteRule
        relationship.renamingIdentifier = Self.renaming(object, name)
        relationship.versionHashModifier = object.text("NSVersionHashModifier")
        relationship.userInfo = try userInfo(of: object)
        return relationship
    }
}

extension CompiledObject {
    /// The text of an expression: a key path, or a function of expressions.
    var expressionText: String? { CompiledExpression.text(of: self) }
}

/// Writes expressions of a compiled model as text.
///
/// Arguments can occur several times, and even in themselves, so that their number can be exponential.
private struct CompiledExpression {
    private static let (partLimit, depthLimit, argumentLimit, lengthLimit) = (2000, 8, 16, 1 << 16)

    private var rest = partLimit
    private var length = 0

    /// Returns the text of an expression, or `nil` if it is unknown or too large.
    static func text(of expression: CompiledObject) -> String? {
        var writer = Self()
        let text = writer.text(of: expression, depth: 0)
        return writer.isWithinLimits ? text : nil
    }

    private var isWithinLimits: Bool { rest >= 0 && length <= Self.lengthLimit }

    private mutating func text(of object: CompiledObject, depth: Int) -> String? {
        rest -= 1
        guard depth < Self.depthLimit, isWithinLimits else { return nil }
        let members = object["NSArguments"]?.members ?? []
        // Reading a list takes time as well.
        rest -= members.count
        let arguments = members.prefix(Self.argumentLimit).compactMap { text(of: $0, depth: depth + 1) }
        switch object.className {
        case "NSKeyPathSpecifierExpression": return noted(object["NSKeyPath"]?.string)
        case "NSKeyPathExpression": return noted(object["NSKeyPath"]?.string) ?? arguments.first
        case "NSFunctionExpression":
            return noted(object.text("NSSelectorName")).map { "\($0)(\(arguments.joined(separator: ",")))" }
        default: return arguments.count == 1 ? arguments[0] : nil
        }
    }

    /// Adds the length of a name to that of the text.
    private mutating func noted(_ name: String?) -> String? {
        length += name?.utf8.count ?? 0
        return isWithinLimits ? name : nil
    }
}
