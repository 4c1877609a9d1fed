/// Writes predicates of a compiled model as text, in the format of predicates.
///
/// The archive of a predicate is a tree of comparisons, in which the operator and both sides are objects of their own.
/// The names of their fields are documented by archives that programs of others read and write, such as those of GNUstep.
struct CompiledPredicate {
    // Enough for any predicate that a person has written. Objects can occur several times, and even in themselves.
    private static let (partLimit, depthLimit, lengthLimit) = (2000, 60, 1 << 16)
    private static let operators = [
        0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH", 9: "ENDSWITH",
        10: "IN", 99: "CONTAINS", 100: "BETWEEN",
    ]
    private static let modifiers = [0: "", 1: "ALL ", 2: "ANY "]
    private static let notEqual = 5
    private static let arithmetic = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/"]

    private var rest = partLimit
    /// The length of the names and strings in the text.
    private var length = 0

    /// Returns the text of a predicate, or `nil` if it contains anything unknown.
    static func text(of predicate: CompiledObject) -> String? {
        var writer = Self()
        let text = writer.predicate(predicate, depth: 0)
        return max(writer.length, text?.utf8.count ?? 0) <= lengthLimit ? text : nil
    }

    /// Counts a part, and returns whether it can be read.
    private mutating func enter(_ depth: Int) -> Bool {
        rest -= 1
        return rest >= 0 && depth <= Self.depthLimit
    }

    /// Returns the text of a name or a string, or `nil` if the predicate becomes too long with it.
    private mutating func noted(_ object: CompiledObject?) -> String? {
        guard let object else { return nil }
        length += object.textLength
        return length <= Self.lengthLimit ? object.string : nil
    }

    private mutating func fieldText(_ field: String, of object: CompiledObject) -> String? {
        noted(object[field]).flatMap { $0.isEmpty ? nil : $0 }
    }

    // MARK: - Predicates

    private mutating func predicate(_ object: CompiledObject, depth: Int) -> String? {
        guard enter(depth) else { return nil }
        switch object.className {
        case "NSComparisonPredicate": return comparison(object, depth: depth)
        case "NSCompoundPredicate": return compound(object, depth: depth)
        case "NSTruePredicate": return "TRUEPREDICATE"
        case "NSFalsePredicate": return "FALSEPREDICATE"
        default: return nil
        }
    }

    private mutating func compound(_ object: CompiledObject, depth: Int) -> String? {
        var parts: [String] = []
        let members = object["NSSubpredicates"]?.members ?? []
        let type = object["NSCompoundPredicateType"]?.integer ?? 0
        for member in members {
            guard let text = predicate(member, depth: depth + 1) else { return nil }
            parts.append(member.className == "NSCompoundPredicate" && type != 0 ? "(\(text))" : text)
        }
        switch (type, parts.count) {
        case (0, 1): return "NOT (\(parts[0]))"
        case (1, 0): return "TRUEPREDICATE"
        case (2, 0): return "FALSEPREDICATE"
        case (1, _): return parts.joined(separator: " AND ")
        case (2, _): return parts.joined(separator: " OR ")
        default: return nil
        }
    }

    private mutating func comparison(_ object: CompiledObject, depth: Int) -> String? {
        guard let kind = object["NSPredicateOperator"], let type = kind["NSOperatorType"]?.integer,
            let sign = Self.operators[type], let modifier = Self.modifiers[kind["NSModifier"]?.integer ?? 0],
            kind["NSNegate"]?.boolean != true || type == Self.notEqual,
            let left = object["NSLeftExpression"].flatMap({ expression($0, depth: depth + 1) }),
            let right = object["NSRightExpression"].flatMap({ expression($0, depth: depth + 1) })
        else { return nil }
        let options = (kind["NSOptions"] ?? kind["NSFlags"])?.integer ?? 0
        let letters = zip("cdnl", 0...).filter { options & 1 << $0.1 != 0 }.map { String($0.0) }.joined()
        return "\(modifier)\(left) \(sign)\(letters.isEmpty ? "" : "[\(letters)]") \(right)"
    }

    // MARK: - Expressions

    private mutating func expression(_ object: CompiledObject, depth: Int) -> String? {
        guard enter(depth) else { return nil }
        switch object.className {
        case "NSConstantValueExpression": return constant(object["NSConstantValue"], depth: depth)
        case "NSSelfExpression": return "SELF"
        case "NSVariableExpression": return fieldText("NSVariable", of: object).map { "$\($0)" }
        case "NSKeyPathSpecifierExpression": return fieldText("NSKeyPath", of: object)
        case "NSKeyPathExpression", "NSFunctionExpression": return function(object, depth: depth)
        case "NSAggregateExpression": return list(object["NSCollection"], depth: depth)
        default: return nil
        }
    }

    private mutating func list(_ collection: CompiledObject?, depth: Int) -> String? {
        var texts: [String] = []
        for member in collection?.members ?? [] {
            let isExpression = member.className?.hasSuffix("Expression") == true
            guard let text = isExpression ? expression(member, depth: depth + 1) : constant(member, depth: depth + 1)
            else { return nil }
            texts.append(text)
        }
        return "{\(texts.joined(separator: ", "))}"
    }

    /// Returns the text of a key path, which is a call of `valueForKeyPath:`, or of another call.
    private mutating func function(_ object: CompiledObject, depth: Int) -> String? {
        if let path = fieldText("NSKeyPath", of: object) { return path }
        guard let name = object.text("NSSelectorName") else { return nil }
        var arguments: [String] = []
        for argument in object["NSArguments"]?.members ?? [] {
            guard let text = expression(argument, depth: depth + 1) else { return nil }
            arguments.append(text)
        }
        switch (name, arguments.count) {
        case ("valueForKey:", 1), ("valueForKeyPath:", 1):
            guard let operand = object["NSOperand"], operand.className != "NSSelfExpression" else {
                return arguments[0]
            }
            return expression(operand, depth: depth + 1).map { "\($0).\(arguments[0])" }
        case (_, 2):
            return Self.arithmetic[name].map { "(\(arguments[0]) \($0) \(arguments[1]))" }
        case ("now", 0): return "now()"
        default: return nil
        }
    }

    private mutating func constant(_ value: CompiledObject?, depth: Int) -> String? {
        guard let value else { return "nil" }
        guard enter(depth) else { return nil }
        if let string = noted(value) { return Self.quoted(string) }
        guard length <= Self.lengthLimit else { return nil }
        if value.isBoolean { return value.boolean ? "YES" : "NO" }
        if let date = value.date { return "CAST(\(date), \"NSDate\")" }
        if let integer = value.integer { return String(integer) }
        if let digits = CoreDataDefaultValue(compiled: value, .decimal)?.ruleText { return digits }
        return ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet"].contains(value.className)
            ? list(value, depth: depth) : nil
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
