/// A piece of JSON: integers and real numbers are kept apart, members in their order.
///
/// JSON is a flat list of these here, so that no depth of it needs a stack. Foundation's own reader
/// tells `1` from `1.0` only sometimes, and loses integers beyond 64 bits.
enum JSONToken {
    case null
    case boolean(Bool)
    /// A number without fraction and exponent.
    case integer(Int128)
    case real(Double)
    case string(String)
    /// The name of a member, before its value.
    case name(String)
    case beginArray
    case endArray
    case beginObject
    case endObject

    /// How deep the JSON that is read may be nested.
    static let deepest = 100_000

    var isScalar: Bool {
        switch self {
        case .null, .boolean, .integer, .real, .string: true
        default: false
        }
    }
}

/// Numbers that JSON has no digits for.
enum NamedNumber {
    static func number(_ name: String) -> Double? {
        switch name {
        case "nan": .nan
        case "infinity": .infinity
        case "-infinity": -.infinity
        default: nil
        }
    }

    /// The number, or its name.
    static func token(_ number: Double) -> JSONToken {
        if number.isNaN { return .string("nan") }
        return number.isInfinite ? .string(number < 0 ? "-infinity" : "infinity") : .real(number)
    }
}
