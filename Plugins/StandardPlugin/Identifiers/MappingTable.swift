internal import Transformable

/// The arguments of `map`, from which a transformer of the right types is created.
struct MappingTable {
    var pairs: [MappingPair]
    var defaultValue: MappingTerm?
    var defaultEncoded: MappingTerm?

    /// Returns the transformer for a value type.
    ///
    /// Without one, values are `String` or `Int64`, depending on the pairs.
    func transformer(for type: Any.Type?) throws(TransformerError) -> any OneWayTransformer {
        let values = pairs.map(\.value) + [defaultValue].compactMap { $0 }
        if values.allSatisfy({ $0.text != nil }) {
            return try transformer { $0.text }
        }
        guard values.allSatisfy({ $0.integer != nil }) else {
            throw TransformerError(.invalidArgument, "the values of a map must be either all text or all integers")
        }
        guard let type = type as? any (FixedWidthInteger & Sendable).Type else {
            return try transformer { $0.integer }
        }
        return try integerTransformer(for: type)
    }

    private func integerTransformer<Value: FixedWidthInteger & Sendable>(
        for type: Value.Type
    ) throws(TransformerError) -> any OneWayTransformer {
        try transformer { term in term.integer.flatMap { Value(exactly: $0) } }
    }

    private func transformer<Value: Hashable & Sendable>(
        _ read: (MappingTerm) -> Value?
    ) throws(TransformerError) -> any OneWayTransformer {
        let encoded = pairs.map(\.encoded) + [defaultEncoded].compactMap { $0 }
        if encoded.allSatisfy({ $0.text != nil }) {
            return try transformer(read) { $0.text }
        }
        guard encoded.allSatisfy({ $0.integer != nil }) else {
            throw TransformerError(
                .invalidArgument,
                "the encoded forms of a map must be either all text or all integers"
            )
        }
        return try transformer(read) { $0.integer }
    }

    private func transformer<Value: Hashable & Sendable, Encoded: Hashable & Sendable>(
        _ readValue: (MappingTerm) -> Value?,
        _ readEncoded: (MappingTerm) -> Encoded?
    ) throws(TransformerError) -> any OneWayTransformer {
        func read<Content>(_ term: MappingTerm, _ read: (MappingTerm) -> Content?) throws(TransformerError) -> Content {
            guard let content = read(term) else {
                throw TransformerError(.invalidArgument, "a value of the map is not of type \(Content.self)")
            }
            return content
        }
        var typed: [(Value, Encoded)] = []
        for pair in pairs { typed.append((try read(pair.value, readValue), try read(pair.encoded, readEncoded))) }
        var (value, encoded): (Value?, Encoded?) = (nil, nil)
        if let defaultValue { value = try read(defaultValue, readValue) }
        if let defaultEncoded { encoded = try read(defaultEncoded, readEncoded) }
        return try MappingTransformer(validating: typed, defaultValue: value, defaultEncoded: encoded)
    }
}

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

    static var argumentType: String { "a pair [value, encoded form] of strings or integers" }

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
