internal import Foundation
internal import Transformable

/// JSON that is about to be written.
///
/// It has no dictionaries, because their members would have to be hashed first and then sorted.
enum JSONOutput {
    case value(JSONValue)
    case array([JSONOutput])
    /// Members in the order in which they are written.
    case object([(name: String, value: JSONOutput)])
}

extension JSONOutput: EncodedTree {
    static var formatName: String { "JSON" }
    static var nilValue: Self { .value(.null) }

    static func bool(_ value: Bool) -> Self { .value(.bool(value)) }
    static func integer(_ value: Int64) -> Self { .value(.integer(value)) }
    static func unsignedInteger(_ value: UInt64) -> Self { .value(.unsignedInteger(value)) }
    static func string(_ value: String) -> Self { .value(.string(value)) }
    static func number(_ value: Double) -> Self? { value.isFinite ? .value(.double(value)) : nil }

    /// Returns the double with the same shortest text as the float, which is decoded to the same float.
    static func number(_ value: Float) -> Self? {
        value.isFinite ? .value(.double(Double(value.description) ?? Double(value))) : nil
    }

    static func keyed(_ members: [(name: String, value: Self)]) -> Self {
        // Texts of ASCII are ordered as their bytes are, and equal only if their bytes are.
        guard members.allSatisfy({ $0.name.utf8.allSatisfy { $0 < 0x80 } }) else { return .object(sorted(members)) }
        let ordered = members.sorted { $0.name < $1.name }
        let isUnique = zip(ordered, ordered.dropFirst()).allSatisfy { $0.name != $1.name }
        return .object(isUnique ? ordered : sorted(members))
    }

    /// Returns members sorted by the UTF-8 bytes of their names, only the last one of each name.
    private static func sorted(_ members: [(name: String, value: Self)]) -> [(name: String, value: Self)] {
        let last = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        return sortedByUTF8(last).map { (name: $0.key, value: $0.value) }
    }

    static func date(_ value: Date, _ options: TreeOptions) throws -> Self {
        switch options.dates {
        case .iso8601: .string(try ISO8601Transformer().encode(value))
        case .unix: .value(.double(try UnixTimeTransformer().encode(value)))
        case .reference: .value(.double(try ReferenceTimeTransformer().encode(value)))
        }
    }

    static func bytes(_ value: Data) -> Self {
        .string(Base64Transformer().encode(value, in: .none))
    }

    func sortingBytes() throws -> [UInt8] {
        var writer = JSONWriter()
        try writer.write(self)
        return writer.bytes
    }
}
