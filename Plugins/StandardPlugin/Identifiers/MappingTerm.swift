internal import Transformable

/// A value or an encoded form in the arguments of `map`: text or an integer.
enum MappingTerm: Sendable, Hashable, ArgumentConvertible {
    case text(String)
    case integer(Int64)

    static var argumentType: String { "text or an integer" }

    init?(argument: ArgumentValue) {
        switch argument {
        case .string(let text), .word(let text): self = .text(text)
        case .integer(let number): self = .integer(Int64(number))
        default: return nil
        }
    }

    var argument: ArgumentValue? {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(Int(number))
        }
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}

/// A value and its encoded form.
struct MappingPair: Sendable, Hashable, ArgumentConvertible {
    var value: MappingTerm
    var encoded: MappingTerm

    static var argumentType: String { "a pair [value, encoded form] of texts or integers" }

    init?(argument: ArgumentValue) {
        guard case .list(let terms) = argument, terms.count == 2, let value = MappingTerm(argument: terms[0]),
            let encoded = MappingTerm(argument: terms[1])
        else { return nil }
        self.value = value
        self.encoded = encoded
    }

    var argument: ArgumentValue? {
        .list([value, encoded].compactMap(\.argument))
    }
}
