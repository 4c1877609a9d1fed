/// JSON as it is written: integers and real numbers kept apart, members in their order.
///
/// Foundation's own reader tells `1` from `1.0` only sometimes, and loses integers beyond 64 bits.
enum JSON {
    case null
    case boolean(Bool)
    /// A number without fraction and exponent.
    case integer(Int128)
    case real(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member {
        let name: String
        let value: JSON

        init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// How deep the JSON that is read may be nested: tags take a level of their own.
    static let deepest = 2 * KeyedArchiveLimits().depth

    /// An object of one member.
    static func tagged(_ tag: String, _ value: JSON) -> JSON {
        .object([Member(tag, value)])
    }

    /// The members of an object; nil for anything else.
    var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .string(let text): JSON.namedNumbers[text]
        default: nil
        }
    }

    /// The numbers that JSON has no digits for.
    private static let namedNumbers: [String: Double] = [
        "nan": .nan, "infinity": .infinity, "-infinity": -.infinity,
    ]

    /// A number, or its name where JSON has no digits for it.
    static func number(_ number: Double) -> JSON {
        if number.isNaN { return .string("nan") }
        return number.isInfinite ? .string(number < 0 ? "-infinity" : "infinity") : .real(number)
    }
}
