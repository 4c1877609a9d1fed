internal import Foundation
internal import Transformable

/// A value of a compound projection as bytes.
///
/// The bytes of a part consist of its kind (1 integer, 2 number, 3 text, 4 bytes), the number of its bytes in 8 bytes,
/// and the bytes themselves: 8 bytes for an integer or for the bits of a number, and UTF-8 in Unicode's composed form
/// for text. All numbers are little-endian, and zero has no sign. Different lists of values never have the same bytes.
struct CompoundPart: Sendable {
    let attribute: StoredAttribute
    let transformer: ResolvedTransformer?

    init(_ part: CompoundProjection.Part, _ attribute: StoredAttribute, _ registry: TransformerRegistry) throws {
        if let failure = attribute.failure { throw failure }
        self.attribute = attribute
        guard let expression = part.transformer else {
            transformer = nil
            guard attribute.description.type != .transformed || attribute.valueType is any PlainValue.Type else {
                throw StoreError(.wrongType, "values of \(attribute.valueType) can be joined only with a transformer")
            }
            return
        }
        let resolved = try registry.resolve(expression, for: attribute.valueType, ending: .column)
        try resolved.requireSameResults()
        transformer = resolved
    }

    /// Whether equal values have the same bytes, in every row.
    var findsEqualValues: Bool {
        guard isVerifiable, let transformer else { return isVerifiable }
        // The result, if it is text, is joined in its composed form.
        let needed: TransformerTraits = transformer.valueType == String.self ? .deterministic : .canonical
        return transformer.traits.contains(needed)
    }

    /// Whether the value of a row has the bytes that the row was written with.
    var isVerifiable: Bool {
        guard attribute.transformer?.traits.contains(.lossy) != true else { return false }
        guard let transformer else { return true }
        // Rows that were written under an earlier key have other bytes than the primary key would give them.
        guard !transformer.isKeyed else { return false }
        // A database may return zero without its sign.
        let isNumber = transformer.valueType is any FloatingPoint.Type || transformer.valueType == Date.self
        return !isNumber || transformer.traits.contains(.canonical)
    }

    /// Identifies the part.
    var signature: String {
        "\(attribute.name)\(transformer.map { ": \($0.expression) = \($0.signature)" } ?? "")"
    }

    /// Appends a value.
    func append(_ value: Any, to bytes: inout Data, in context: TransformContext) throws {
        var place = context
        place.attribute = attribute.id
        let plain = try transformer.map { try $0.encode(any: value, in: place) } ?? value
        switch try Self.column(plain) {
        case .integer(let number): Self.append(1, Self.bytes(UInt64(bitPattern: number)), to: &bytes)
        case .real(let number): Self.append(2, Self.bytes((number == 0 ? 0 : number).bitPattern), to: &bytes)
        case .text(let text): Self.append(3, Data(text.composed.utf8), to: &bytes)
        case .blob(let data): Self.append(4, data, to: &bytes)
        case .null, .brokenText: throw StoreError(.invalidValue, "a value has no bytes that could be joined")
        }
    }

    private static func column(_ value: Any) throws -> ColumnValue {
        func raw(_ value: any RawRepresentable) throws -> ColumnValue { try column(value.rawValue) }
        if let plain = value as? any PlainValue { return try plain.column() }
        guard let value = value as? any RawRepresentable else { return .null }
        return try raw(value)
    }

    private static func append(_ kind: UInt8, _ content: Data, to bytes: inout Data) {
        bytes.append(kind)
        bytes.append(self.bytes(UInt64(content.count)))
        bytes.append(content)
    }

    private static func bytes(_ number: UInt64) -> Data {
        Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }
}
