internal import Foundation
internal import Transformable

/// The identifier of a key: 8 random bytes, which every sealed value includes.
public struct KeyID: Hashable, Sendable {
    /// The identifier as a number, whose most significant byte is stored first.
    let number: UInt64

    init(number: UInt64) {
        self.number = number
    }

    /// Parses an identifier.
    ///
    /// - Parameter text: 16 lowercase hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 16, let number = UInt64(text, radix: 16) else { return nil }
        self.number = number
        guard description == text else { return nil }
    }

    /// The bytes in the order in which they are stored.
    var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

extension KeyID: CustomStringConvertible {
    /// The identifier as 16 hexadecimal digits.
    public var description: String { HexadecimalText.text(of: bytes) }
}

extension KeyID: Codable {
    /// Decodes an identifier from 16 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "an id must have 16 hexadecimal digits"
            )
        }
        self = id
    }

    /// Encodes the identifier as 16 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
