import Foundation

/// Predicates and fetch requests, with the classes and fields that archives of Apple's frameworks contain, as others have
/// documented them: GNUstep's `Tests/base/NSPredicate`, and the reader of compiled models in ZeeQL.
extension ModelArchive {
    mutating func keyPath(_ path: String) -> String {
        let name = add(
            "NSKeyPathSpecifierExpression",
            ["NSExpressionType": Self.number(10), "NSKeyPath": string(path)]
        )
        let operand = add("NSSelfExpression", ["NSExpressionType": Self.number(1)])
        return call("valueForKeyPath:", [name], on: operand, as: "NSKeyPathExpression")
    }

    mutating func call(
        _ selector: String,
        _ arguments: [String],
        on operand: String = ModelArchive.null,
        as name: String = "NSFunctionExpression"
    ) -> String {
        add(
            name,
            [
                "NSExpressionType": Self.number(4), "NSSelectorName": string(selector), "NSOperand": operand,
                "NSArguments": array(arguments),
            ]
        )
    }

    mutating func constant(_ value: String) -> String {
        add("NSConstantValueExpression", ["NSExpressionType": Self.number(0), "NSConstantValue": value])
    }

    mutating func text(_ text: String) -> String { constant(string(text)) }

    mutating func variable(_ name: String) -> String {
        add("NSVariableExpression", ["NSExpressionType": Self.number(2), "NSVariable": string(name)])
    }

    mutating func aggregate(_ members: [String]) -> String {
        add("NSAggregateExpression", ["NSExpressionType": Self.number(14), "NSCollection": array(members)])
    }

    /// Compares two expressions, by the number that `NSComparisonPredicate.Operator` gives the operator.
    mutating func compare(
        _ left: String,
        _ type: Int,
        _ right: String,
        modifier: Int = 0,
        options: (field: String, bits: Int) = ("NSOptions", 0)
    ) -> String {
        let comparison = add(
            "NSComparisonPredicateOperator",
            [
                "NSOperatorType": Self.number(type), "NSModifier": Self.number(modifier), "NSNegate": "<false/>",
                options.field: Self.number(options.bits),
            ]
        )
        return add(
            "NSComparisonPredicate",
            ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": comparison]
        )
    }

    mutating func compound(_ type: Int, _ predicates: [String]) -> String {
        add(
            "NSCompoundPredicate",
            ["NSCompoundPredicateType": Self.number(type), "NSSubpredicates": array(predicates)]
        )
    }

    static func number(_ value: Int) -> String { "<integer>\(value)</integer>" }

    /// Returns a model with the entity `Person`, whose properties and indexes a closure adds, along with fetch requests.
    static func people(
        _ make: (inout Self, _ person: String) -> (properties: String, indexes: String, requests: String)
    ) -> Data {
        var archive = Self()
        let (model, person) = (archive.reserve(), archive.reserve())
        let parts = make(&archive, reference(person))
        archive.set(
            person,
            "NSEntityDescription",
            [
                "NSEntityName": archive.string("Person"), "NSSuperentity": null, "NSProperties": parts.properties,
                "NSFetchIndexDescriptions": parts.indexes,
            ]
        )
        let entities = archive.dictionary(["Person": reference(person)])
        archive.set(
            model,
            "NSManagedObjectModel",
            ["NSEntities": entities, "NSFetchRequestTemplates": parts.requests]
        )
        return archive.data(root: reference(model))
    }

    /// Adds the name and age of a person, and returns a reference to the dictionary of properties.
    mutating func personProperties(_ more: KeyValuePairs<String, String> = [:]) -> String {
        let name = add("NSAttributeDescription", attributeFields("name", 700))
        let age = add("NSAttributeDescription", attributeFields("age", 100))
        let keys = (["name", "age"] + more.map(\.key)).map { string($0) }
        let values = [name, age] + more.map(\.value)
        return add(
            "NSMutableDictionary",
            ["NS.keys": "<array>\(keys.joined())</array>", "NS.objects": "<array>\(values.joined())</array>"]
        )
    }

    private mutating func attributeFields(_ name: String, _ type: Int) -> KeyValuePairs<String, String> {
        ["NSPropertyName": string(name), "NSAttributeType": Self.number(type), "NSIsOptional": "<true/>"]
    }
}
