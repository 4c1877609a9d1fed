internal import Foundation

/// What names one key among all those of a ring: 8 random bytes, which every sealed value carries.
public struct KeyID: Hashable, Sendable {
    /// The bytes, the first one most significant.
    let number: UInt64

    init(number: UInt64) {
        self.number = number
    }

    /// Reads an identifier from its 16 hexadecimal digits.
    ///
    /// - Parameter text: The digits, in lower case.
    public init?(_ text: String) {
        guard text.utf8.count == 16, let number = UInt64(text, radix: 16) else { return nil }
        self.number = number
        guard description == text else { return nil }
    }

    /// The bytes in the order they are stored.
    var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

extension KeyID: CustomStringConvertible {
    /// 16 hexadecimal digits.
    public var description: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension KeyID: Codable {
    /// Reads the 16 digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an id has 16 hexadecimal digits")
        }
        self = id
    }

    /// Writes the 16 digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
