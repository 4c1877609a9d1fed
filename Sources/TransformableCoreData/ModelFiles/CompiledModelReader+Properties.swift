internal import Foundation

extension CompiledModelReader {
    private static let depthLimit = 8
    private static let externalStorageFlag = 4

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
        attribute.allowsExternalStorage = (object["NSFlagsKey"]?.integer ?? 0) & Self.externalStorageFlag != 0
        attribute.isIndexedBySpotlight = object["NSIndexedBySpotlight"]?.boolean ?? false
        attribute.renamingIdentifier = Self.renaming(object, name)
        attribute.versionHashModifier = object.text("NSVersionHashModifier")
        attribute.userInfo = try userInfo(of: object, entity: place.entity ?? "")
        attribute.defaultValue = object["NSDefaultValue"].flatMap { CoreDataDefaultValue(compiled: $0, type) }
        try readValidation(of: object, into: &attribute, place: place)
        readDerivation(of: object, into: &attribute, place: place)
        if type == .composite { try readElements(of: object, into: &attribute, place: place, depth: depth) }
        return attribute
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
        for element in try members(object["NSCompositeElements"]) {
            guard let name = element["NSPropertyName"]?.string else {
                throw Self.fault("an element has no name", entity: place.entity, property: place.property)
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
            let limit = predicate["NSRightExpression"]?["NSConstantValue"]
            let value = limit.flatMap { CoreDataDefaultValue(compiled: $0, .decimal)?.ruleText }
            switch (predicate["NSPredicateOperator"]?["NSOperatorType"]?.integer, value) {
            case (3, .some(let value)): attribute.minimum = value
            case (1, .some(let value)): attribute.maximum = value
            case (6, _) where limit?.string != nil: attribute.pattern = limit?.string
            default:
                let text = "a validation rule cannot be read from a compiled model and was dropped"
                notes.append(CoreDataNote(entity: place.entity, property: place.property, text))
            }
        }
    }

    private mutating func readDerivation(
        of object: CompiledObject,
        into attribute: inout CoreDataAttribute,
        place: CoreDataNote
    ) {
        guard object.className == "NSDerivedAttributeDescription" else { return }
        let expression = object["NSDerivationExpression"]?.expressionText(depth: 0)
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
        relationship.userInfo = try userInfo(of: object, entity: place.entity ?? "")
        return relationship
    }
}

extension CompiledObject {
    /// The text of an expression: a key path, or a function of expressions.
    func expressionText(depth: Int) -> String? {
        guard depth < 8 else { return nil }
        let arguments = self["NSArguments"]?.members.prefix(16).compactMap { $0.expressionText(depth: depth + 1) } ?? []
        switch className {
        case "NSKeyPathSpecifierExpression": return self["NSKeyPath"]?.string
        case "NSKeyPathExpression": return self["NSKeyPath"]?.string ?? arguments.first
        case "NSFunctionExpression":
            return text("NSSelectorName").map { "\($0)(\(arguments.joined(separator: ",")))" }
        default: return arguments.count == 1 ? arguments[0] : nil
        }
    }
}
