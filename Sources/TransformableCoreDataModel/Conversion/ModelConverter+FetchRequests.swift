internal import Transformable
internal import TransformableModel

extension ModelConverter {
    /// Converts fetch requests whose predicates are conditions on attributes and relationships of their entity.
    mutating func convertFetchRequests() {
        // Names that differ only in case are the same.
        var names: Set<String> = []
        for request in source.fetchRequests {
            let place = CoreDataNote(entity: request.entity, property: request.name, "")
            let condition = request.predicate.map { PredicateText($0) }
            var result = FetchRequestDescription(
                request.name,
                of: request.entity,
                where: condition?.condition ?? "true"
            )
            guard hasEntity(request.entity) else {
                note("dropped the fetch request, because its entity is not in the model", place)
                continue
            }
            let isCondition = isUnderstood(condition, of: request.entity) && isValid(result)
            guard isCondition, hasValidName(request), names.insert(request.name.lowercased()).inserted else {
                unconverted[request.name] = request.text
                let reason = isCondition ? "its name is invalid or used twice" : "its predicate is not a condition"
                note("kept the fetch request as userInfo, because \(reason)", place)
                continue
            }
            convertSettings(of: request, into: &result, place: place)
            fetchRequests.append(result)
        }
    }

    private mutating func convertSettings(
        of request: CoreDataFetchRequest,
        into result: inout FetchRequestDescription,
        place: CoreDataNote
    ) {
        for (name, value) in request.settings.sorted(by: { $0.key < $1.key }) {
            switch (name, value) {
            case ("fetchLimit", _):
                result.limit = Int(value).flatMap { $0 > 0 ? $0 : nil }
            case ("fetchOffset", _) where Int(value).map({ $0 >= 0 }) == true:
                result.offset = Int(value) ?? 0
            case ("sortDescriptors", _) where order(value, of: request.entity) != nil:
                result.order = order(value, of: request.entity) ?? []
            case (_, "YES") where CoreDataFetchRequest.defaults.contains(name): break
            // These only say how objects are loaded.
            case ("fetchBatchSize", _), ("returnObjectsAsFaults", _), ("includePropertyValues", _),
                ("includesPendingChanges", _):
                note("dropped the setting \(name)=\(value)", place, isLoss: false)
            default:
                result.userInfo["coredata.\(name)"] = value
                note("kept the setting \(name)=\(value) as userInfo", place)
            }
        }
    }

    /// Returns the order of sort descriptors, or `nil` if they sort by anything but attributes of the entity.
    private func order(_ text: String, of entity: String) -> [SortKey]? {
        let lineage = chain(of: entity)
        let keys = text.split(separator: ", ")
            .map { $0.hasSuffix(" descending") ? SortKey.descending(String($0.dropLast(11))) : .ascending(String($0)) }
        let isPlain = keys.allSatisfy { attribute($0.name, in: lineage) != nil && isComparable($0.name, lineage) }
        return isPlain ? keys : nil
    }

    private func isUnderstood(_ text: PredicateText?, of entity: String) -> Bool {
        guard let text else { return true }
        return text.isUnderstood && text.names.allSatisfy { isKnown($0, from: entity) }
    }

    /// Returns whether the names in a key path are those of relationships, perhaps followed by an attribute.
    private func isKnown(_ path: Substring, from entity: String) -> Bool {
        var entity = entity
        // An operator, such as “@count” or “@sum”, is no name.
        let names = path.split(separator: ".").map(String.init).filter { !$0.hasPrefix("@") }
        for (index, name) in names.enumerated() {
            let lineage = chain(of: entity)
            if let attribute = attribute(name, in: lineage) { return isKnown(names[(index + 1)...], in: attribute) }
            guard let next = relationship(name, in: lineage), hasEntity(next.destination) else { return false }
            entity = next.destination
        }
        return true
    }

    /// Returns whether the rest of a key path leads to an element of a composite, or is empty.
    ///
    /// Other attributes have no properties in a condition, as in `name.length`.
    private func isKnown(_ rest: ArraySlice<String>, in attribute: CoreDataAttribute) -> Bool {
        // An enumeration becomes a plain attribute.
        guard attribute.type == .composite, attribute.rawValue == nil else { return rest.isEmpty }
        let parts = attribute.elements.filter { !$0.isTransient && ($0.type != .composite || $0.rawValue != nil) }
        guard attribute.leaves.contains(where: { !$0.isTransient }), !attribute.isTransient, rest.count <= 1 else {
            return false
        }
        return rest.allSatisfy { name in parts.contains { $0.name == name } }
    }

    /// Returns whether a request of a model can have the name of a request.
    private func hasValidName(_ request: CoreDataFetchRequest) -> Bool {
        let requests = [FetchRequestDescription(request.name, of: "E")]
        return (try? Model(entities: [EntityDescription("E")], fetchRequests: requests)) != nil
    }

    /// Returns whether the condition of a request can be parsed, in which case it has exactly the parameters that it shows,
    /// and whether it looks for parts only in text.
    private func isValid(_ request: FetchRequestDescription) -> Bool {
        guard let parts = request.conditionParts(in: nil) else { return false }
        return parts.tests.allSatisfy { test in
            switch test.comparison {
            // The wildcards in a parameter would be those of predicates.
            case .like(.literal(.string)), .contains, .startsWith, .endsWith:
                test.path.map { !leadsToObjects($0, from: request.entity) } ?? true
            case .like: false
            default: true
            }
        }
    }

    private func leadsToObjects(_ path: [String], from entity: String) -> Bool {
        var entity = entity
        for name in path {
            guard let next = relationship(name, in: chain(of: entity)) else { return false }
            entity = next.destination
        }
        return true
    }
}

/// The text of a predicate, and the condition that says the same.
private struct PredicateText {
    /// The condition.
    private(set) var condition = ""
    /// The key paths in the predicate.
    private(set) var names: [Substring] = []
    /// Whether all quoted strings can be written in the condition.
    private(set) var isUnderstood = true
    /// Whether the next string is a pattern.
    private var isPattern = false

    /// Words of predicates that conditions have too, perhaps in another form.
    ///
    /// `BETWEEN` is not one of them, because it takes a list, and what follows the list would be taken for the second
    /// limit.
    private static let words = [
        "beginswith": "startswith", "yes": "true", "no": "false", "nil": "null", "null": "null", "true": "true",
        "false": "false", "and": "and", "or": "or", "not": "not", "in": "in", "contains": "contains",
        "endswith": "endswith", "like": "like", "truepredicate": "true", "falsepredicate": "false",
    ]
    private static let signs = ["&&": " and ", "||": " or "]
    private static let escapes: [Character: Character] = [
        "\\": "\\", "\"": "\"", "'": "'", "n": "\n", "r": "\r", "t": "\t",
    ]

    init(_ text: String) {
        var rest = text[...]
        while let character = rest.first {
            if character == "\"" || character == "'" {
                add(string: Self.take(&rest, quoted: character))
            } else if let date = Self.takeDate(&rest) {
                condition += date
            } else if character.isLetter || character == "_" || character == "$" {
                add(rest.prefix { $0.isLetter || $0.isNumber || "_.$@".contains($0) })
                rest = rest.drop { $0.isLetter || $0.isNumber || "_.$@".contains($0) }
            } else if character == "[" {
                // The options of a comparison, as in “==[cd]”, are the same.
                let options = rest.prefix { $0 != "]" }
                condition += options
                rest = rest.dropFirst(options.count)
            } else if let sign = Self.signs[String(rest.prefix(2))] {
                condition += sign
                rest = rest.dropFirst(2)
            } else {
                condition.append(character)
                rest = rest.dropFirst()
            }
        }
    }

    private mutating func add(_ word: Substring) {
        isPattern = word.lowercased() == "like"
        if let known = Self.words[word.lowercased()] {
            condition += known
        } else {
            condition += word
            if !word.hasPrefix("$") { names.append(word) }
        }
    }

    /// Takes a date, which is a number of seconds since 2001, as in `CAST(0.5, "NSDate")`.
    private static func takeDate(_ rest: inout Substring) -> String? {
        let pattern = /(?i)cast\(\s*([-+]?[0-9][-+.0-9e]*)\s*,\s*["']NSDate["']\s*\)/
        guard let match = rest.prefixMatch(of: pattern), let seconds = Double(match.1) else { return nil }
        rest = rest[match.range.upperBound...]
        return DateText.text(ofSeconds: seconds)
    }

    private mutating func add(string: String?) {
        guard let string, let text = isPattern ? Self.pattern(string) : string else {
            isUnderstood = false
            return
        }
        isPattern = false
        condition += Self.quoted(text)
    }

    /// Returns a pattern with our wildcards in place of those of predicates, or `nil` if it contains ours, for which
    /// conditions have no escapes.
    private static func pattern(_ text: String) -> String? {
        guard !text.contains(where: { "%_\\".contains($0) }) else { return nil }
        return text.replacing("*", with: "%").replacing("?", with: "_")
    }

    /// Takes a quoted string and returns its content, or `nil` if it has no end or an unknown escape.
    private static func take(_ rest: inout Substring, quoted quote: Character) -> String? {
        var text = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            guard character != quote else { return text }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let next = rest.popFirst(), let escaped = escapes[next] else { return nil }
            text.append(escaped)
        }
        return nil
    }

    /// Returns text in double quotes, with the escapes of JSON.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case ..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(scalars.joined())\""
    }
}
