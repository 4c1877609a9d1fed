internal import Foundation

/// Any JSON document, as a tree.
indirect enum JSONTree: Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent, or one that does not fit in 64 bits, as it is written.
    case number(String)
    case string(String)
    case list([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let text): try container.encode(Double(text))
        case .string(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}
