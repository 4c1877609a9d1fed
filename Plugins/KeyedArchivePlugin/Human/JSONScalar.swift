internal import Foundation
internal import Transformable

/// Creates scalars that JSON has no type for, from the contents of their tags.
enum JSONScalar {
    /// Returns a value, or nil if the tag is not that of a scalar.
    static func value(_ tag: String, _ content: ArchivedValue) throws(TransformerError) -> ArchivedValue? {
        switch tag {
        case "$real":
            guard let number = real(content) else {
                throw broken(tag, "“nan”, “infinity”, “-infinity”, a real number, or the bits of one")
            }
            return .real(number)
        case "$data":
            guard let data = content.string.flatMap({ Base64Text.bytes(of: $0.utf8) }) else {
                throw broken(tag, "base64")
            }
            return .data(data)
        case "$date":
            guard let seconds = content.string.map({ try? DateText.seconds($0) }) ?? content.number else {
                throw broken(tag, "a date like 2001-01-01T00:00:00Z, or seconds since 2001")
            }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case "$uuid":
            guard let uuid = content.string.flatMap({ UUID(uuidString: $0) }) else { throw broken(tag, "a UUID") }
            return .uuid(uuid)
        case "$url":
            return .url(try url(tag, content))
        case "$decimal":
            return .decimal(try decimal(tag, content))
        default:
            return nil
        }
    }

    private static func broken(_ tag: String, _ expected: String) -> TransformerError {
        .invalidData("“\(tag)” must be \(expected)")
    }

    private static func real(_ content: ArchivedValue) -> Double? {
        switch content {
        case .integer(let bits): UInt64(exactly: bits).map { Double(bitPattern: $0) }
        case .real(let number): number
        case .string(let name): NamedNumber.number(name)
        default: nil
        }
    }

    private static func url(_ tag: String, _ content: ArchivedValue) throws(TransformerError) -> ArchivedURL {
        let texts = content.array?.compactMap(\.string) ?? content.string.map { [$0] } ?? []
        guard let first = texts.first, texts.count == content.array?.count ?? 1 else {
            throw broken(tag, "a string, or a list of strings: relative, base")
        }
        return ArchivedURL(first, bases: Array(texts.dropFirst()))
    }

    private static func decimal(_ tag: String, _ content: ArchivedValue) throws(TransformerError) -> Decimal {
        if content.string == "nan" { return .nan }
        guard let text = content.string else { throw broken(tag, "a string of digits") }
        return try DecimalText.decimal(text)
    }
}

/// Creates geometric values from the list of numbers in their tags.
enum JSONGeometry {
    static func value(_ tag: String, _ content: ArchivedValue) throws(TransformerError) -> ArchivedValue {
        let count = ["$point": 2, "$size": 2, "$range": 2, "$transform": 6][tag] ?? 4
        if tag == "$range" {
            guard let numbers = content.array?.compactMap(\.int), numbers.count == count, content.array?.count == count
            else { throw .invalidData("“$range” must be a list of a location and a length") }
            return .range(NSRange(location: numbers[0], length: numbers[1]))
        }
        let numbers = content.array?.compactMap { $0.number ?? $0.string.flatMap(NamedNumber.number) } ?? []
        guard numbers.count == count, content.array?.count == count else {
            throw .invalidData("“\(tag)” must be a list of \(count) numbers")
        }
        switch tag {
        case "$point": return .point(CGPoint(x: numbers[0], y: numbers[1]))
        case "$size": return .size(CGSize(width: numbers[0], height: numbers[1]))
        case "$rect": return .rect(CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        case "$transform": return .transform(AffineTransform(numbers: numbers) ?? .identity)
        default:
            return .edgeInsets(
                ArchivedEdgeInsets(
                    top: numbers[0],
                    left: numbers[1],
                    bottom: numbers[2],
                    right: numbers[3],
                    isUIKit: tag == "$uiEdgeInsets"
                )
            )
        }
    }
}

/// A token of JSON, which distinguishes integers from real numbers and preserves the order of members.
///
/// JSON is represented as a flat list of tokens, so that deep nesting does not require a deep stack. Foundation's
/// parser distinguishes `1` from `1.0` only in some cases, and cannot represent integers beyond 64 bits.
enum JSONToken {
    case null
    case boolean(Bool)
    /// A number without a fraction or an exponent.
    case integer(Int128)
    case real(Double)
    case string(String)
    /// The name of a member, which precedes its value.
    case name(String)
    case beginArray
    case endArray
    case beginObject
    case endObject

    /// The maximum nesting of JSON.
    static let deepest = 100_000

    var isScalar: Bool {
        switch self {
        case .null, .boolean, .integer, .real, .string: true
        default: false
        }
    }

    /// The approximate number of bytes that the token takes, including its text.
    var size: Int {
        switch self {
        case .string(let text), .name(let text): 16 + text.utf8.count
        default: 16
        }
    }
}

/// Numbers that JSON cannot represent as digits.
enum NamedNumber {
    static func number(_ name: String) -> Double? {
        switch name {
        case "nan": .nan
        case "infinity": .infinity
        case "-infinity": -.infinity
        default: nil
        }
    }

    /// Returns the token for a number, or for its name.
    static func token(_ number: Double) -> JSONToken {
        if number.isNaN { return .string("nan") }
        return number.isInfinite ? .string(number < 0 ? "-infinity" : "infinity") : .real(number)
    }
}
