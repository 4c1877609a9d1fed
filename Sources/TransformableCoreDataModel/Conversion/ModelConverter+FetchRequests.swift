internal import Transformable
internal import TransformableModel

extension ModelConverter {
    /// Converts fetch requests whose predicates are conditions on attributes and relationships of their entity.
    mutating func convertFetchRequests() {
        for request in source.fetchRequests {
            let place = CoreDataNote(entity: request.entity, property: request.name, "")
            let condition = request.predicate.map { PredicateText($0) }
            guard hasEntity(request.entity), isUnderstood(condition, of: request.entity) else {
                unconverted[request.name] = request.text
                note("kept the fetch request as userInfo, because its predicate is not a condition", place)
                continue
            }
            var result = FetchRequestDescription(
                request.name,
                of: request.entity,
                where: condition?.condition ?? "true"
            )
            convertSettings(of: request, into: &result, place: place)
            guard result.isValid else {
                unconverted[request.name] = request.text
                note("kept the fetch request as userInfo, because its predicate is not a condition", place)
                continue
            }
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
        let lineage = chain(of: entity)
        return text.names.allSatisfy { name in
            let first = String(name.prefix { $0 != "." })
            return attribute(first, in: lineage) != nil || relationship(first, in: lineage) != nil
        }
    }
}

extension FetchRequestDescription {
    /// Whether the condition can be parsed, in which case it has exactly the parameters that it shows.
    fileprivate var isValid: Bool {
        let values = Dictionary(uniqueKeysWithValues: parameters.map { ($0, String?.none as (any Sendable)?) })
        let lists = listParameters.reduce(into: values) { $0[$1] = [String]() as (any Sendable) }
        return (try? condition(with: lists)) != nil
    }
}

/// The text of a predicate, and the condition that says the same.
private struct PredicateText {
    /// The condition.
    private(set) var condition = ""
    /// The key paths in the predicate.
    private(set) var names: [Substring] = []

    /// Words of predicates that are written differently in conditions.
    private static let words = [
        "beginswith": "startswith", "yes": "true", "no": "false", "nil": "null", "null": "null", "true": "true",
        "false": "false", "and": "and", "or": "or", "not": "not", "in": "in", "between": "between",
        "contains": "contains", "endswith": "endswith", "like": "like", "truepredicate": "true",
        "falsepredicate": "false",
    ]
    private static let signs = ["&&": " and ", "||": " or "]

    init(_ text: String) {
        var rest = text[...]
        while let character = rest.first {
            if character == "\"" || character == "'" {
                condition += Self.take(&rest, quoted: character)
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

    /// Takes a quoted string, in which a backslash precedes a quotation mark.
    private static func take(_ rest: inout Substring, quoted quote: Character) -> String {
        var text = String(quote)
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            text.append(character)
            if character == "\\", let next = rest.popFirst() {
                text.append(next)
            } else if character == quote {
                break
            }
        }
        return text
    }
}
