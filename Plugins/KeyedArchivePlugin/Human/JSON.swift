/// A token of JSON, which distinguishes integers from real numbers and preserves the order of members.
///
/// JSON is represented as a flat list of tokens, so that deep nesting does not require a deep stack. Foundation's
/// parser distinguishes `1` from `1.0` only in some cases, and cannot represent integers beyond 64 bits.
enum JSONToken {
    case null
    case boolean(Bool)
    /// A number without a fraction and an exponent.
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
