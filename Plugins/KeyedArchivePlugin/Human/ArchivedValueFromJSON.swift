internal import Foundation
internal import Transformable

/// Reads values from JSON with tags.
enum ArchivedValueFromJSON {
    static func value(of json: JSON) throws(TransformerError) -> ArchivedValue {
        switch json {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .string(let text): return .string(text)
        case .array(let elements): return .array(try values(of: elements))
        case .object(let members): return try value(of: members)
        }
    }

    private static func values(of elements: [JSON]) throws(TransformerError) -> [ArchivedValue] {
        try elements.map { element throws(TransformerError) in try value(of: element) }
    }

    private static func broken(_ tag: String, _ expected: String) -> TransformerError {
        .invalidData("“\(tag)” is \(expected)")
    }

    private static func value(of members: [JSON.Member]) throws(TransformerError) -> ArchivedValue {
        guard let tag = members.first(where: { $0.name.hasPrefix("$") }) else {
            var pairs: [ArchivedDictionary.Pair] = []
            for member in members {
                pairs.append(ArchivedDictionary.Pair(.string(member.name), try value(of: member.value)))
            }
            return .dictionary(try dictionary(pairs))
        }
        if members.contains(where: { $0.name == "$object" }) { return try object(members) }
        guard members.count == 1 else {
            throw .invalidData("an object with “\(tag.name)” has no other member; see “$dictionary” for such keys")
        }
        if let scalar = try scalar(tag.name, tag.value) { return scalar }
        return try collection(tag.name, tag.value)
    }

    private static func dictionary(_ pairs: [ArchivedDictionary.Pair]) throws(TransformerError) -> ArchivedDictionary {
        guard let dictionary = ArchivedDictionary(uniquePairs: pairs) else {
            throw .invalidData("a dictionary holds a key twice")
        }
        return dictionary
    }

    private static func scalar(_ tag: String, _ json: JSON) throws(TransformerError) -> ArchivedValue? {
        switch tag {
        case "$real":
            return .real(try real(json))
        case "$data":
            guard let data = json.text.flatMap({ Base64.decode($0.utf8) }) else { throw broken(tag, "base64") }
            return .data(Data(data))
        case "$date":
            return .date(Date(timeIntervalSinceReferenceDate: try seconds(json)))
        case "$uuid":
            guard let uuid = json.text.flatMap({ UUID(uuidString: $0) }) else { throw broken(tag, "a UUID") }
            return .uuid(uuid)
        case "$url":
            let texts = json.elements?.compactMap(\.text) ?? json.text.map { [$0] } ?? []
            guard let first = texts.first, texts.count == json.elements?.count ?? 1 else {
                throw broken(tag, "a string, or a list of strings: relative, base")
            }
            return .url(ArchivedURL(first, bases: Array(texts.dropFirst())))
        case "$decimal":
            return .decimal(try decimal(json))
        case "$point", "$size", "$rect", "$edgeInsets", "$range":
            return try geometry(tag, json)
        default:
            return nil
        }
    }

    private static func real(_ json: JSON) throws(TransformerError) -> Double {
        if case .integer(let bits) = json, let bits = UInt64(exactly: bits) { return Double(bitPattern: bits) }
        guard let number = json.number else { throw broken("$real", "“nan”, “infinity”, “-infinity” or a number") }
        return number
    }

    private static func seconds(_ json: JSON) throws(TransformerError) -> Double {
        if let text = json.text, let seconds = DateText.seconds(text) { return seconds }
        if let member = json.members?.first, member.name == "$real" { return try real(member.value) }
        guard json.text == nil, let seconds = json.number else {
            throw broken("$date", "a date like 2001-01-01T00:00:00Z, or seconds since 2001")
        }
        return seconds
    }

    private static func decimal(_ json: JSON) throws(TransformerError) -> Decimal {
        if json.text == "nan" { return .nan }
        let isNumber = json.text?.utf8.allSatisfy { "+-0123456789.eE".utf8.contains($0) } ?? false
        guard isNumber, let decimal = json.text.flatMap({ Decimal(string: $0) }) else {
            throw broken("$decimal", "a string of digits")
        }
        return decimal
    }

    private static func geometry(_ tag: String, _ json: JSON) throws(TransformerError) -> ArchivedValue {
        if tag == "$range" {
            let numbers = json.elements?
                .compactMap { value -> Int? in
                    guard case .integer(let number) = value else { return nil }
                    return Int(exactly: number)
                }
            guard let numbers, numbers.count == 2, json.elements?.count == 2 else {
                throw broken(tag, "a list of location and length")
            }
            return .range(NSRange(location: numbers[0], length: numbers[1]))
        }
        let count = tag == "$point" || tag == "$size" ? 2 : 4
        guard let numbers = json.elements?.compactMap(\.number), numbers.count == count,
            json.elements?.count == count
        else { throw broken(tag, "a list of \(count) numbers") }
        switch tag {
        case "$point": return .point(CGPoint(x: numbers[0], y: numbers[1]))
        case "$size": return .size(CGSize(width: numbers[0], height: numbers[1]))
        case "$rect": return .rect(CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        default:
            let insets = ArchivedEdgeInsets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
            return .edgeInsets(insets)
        }
    }

    private static func collection(_ tag: String, _ json: JSON) throws(TransformerError) -> ArchivedValue {
        guard let elements = json.elements, ["$set", "$orderedSet", "$dictionary"].contains(tag) else {
            throw .invalidData("“\(tag)” is no tag of archived values, or what follows it is no list")
        }
        switch tag {
        case "$set": return .set(ArchivedSet(try values(of: elements)))
        case "$orderedSet": return .orderedSet(try values(of: elements))
        default:
            var pairs: [ArchivedDictionary.Pair] = []
            for element in elements {
                guard let pair = element.elements, pair.count == 2 else { throw broken(tag, "a list of pairs") }
                pairs.append(ArchivedDictionary.Pair(try value(of: pair[0]), try value(of: pair[1])))
            }
            return .dictionary(try dictionary(pairs))
        }
    }

    private static func object(_ members: [JSON.Member]) throws(TransformerError) -> ArchivedValue {
        var name: String?
        var chain: [String]?
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = []
        for member in members {
            switch member.name {
            case "$object": name = member.value.text
            case "$classes": chain = member.value.elements?.compactMap(\.text)
            case "$fields":
                for field in member.value.members ?? [] {
                    fields.append((field.name, try self.field(field.value)))
                }
            default: throw .invalidData("“\(member.name)” is no part of an object")
            }
        }
        guard let name else { throw broken("$object", "the name of a class") }
        return .object(ArchivedInstance(ArchivedClass(name, chain: chain), fields: fields))
    }

    private static func field(_ json: JSON) throws(TransformerError) -> ArchivedInstance.FieldValue {
        guard let member = json.members?.first, json.members?.count == 1 else { return .object(try value(of: json)) }
        switch member.name {
        case "$inline": return .inline(try value(of: member.value))
        case "$nil": return .object(nil)
        case "$list":
            let elements = member.value.elements ?? []
            return .objects(
                try elements.map { element throws(TransformerError) in
                    element.members?.first?.name == "$nil" ? nil : try value(of: element)
                }
            )
        default: return .object(try value(of: json))
        }
    }
}
