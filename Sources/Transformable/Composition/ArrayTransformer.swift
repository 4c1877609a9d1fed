/// A transformer of arrays, element by element; a failure names the index.
public struct ArrayTransformer<Base: OneWayTransformer>: OneWayTransformer {
    let base: Base

    /// What holds of this transformer.
    public var traits: TransformerTraits { base.traits.subtracting(.ordered) }

    /// Encodes each element.
    public func encode(_ values: [Base.Value], in context: TransformContext) throws -> [Base.Encoded] {
        try values.enumerated()
            .map { index, value in
                try at("index \(index)") { try base.encode(value, in: context) }
            }
    }
}

extension ArrayTransformer: Transformer where Base: Transformer {
    /// Decodes each element.
    public func decode(_ encoded: [Base.Encoded], in context: TransformContext) throws -> [Base.Value] {
        try encoded.enumerated()
            .map { index, encoded in
                try at("index \(index)") { try base.decode(encoded, in: context) }
            }
    }

    /// Asks the base transformer about each element.
    public func isUnchanged(_ values: [Base.Value], since encoded: [Base.Encoded], in context: TransformContext) throws
        -> Bool
    {
        guard values.count == encoded.count else { return false }
        return try zip(values, encoded).enumerated()
            .allSatisfy { index, pair in
                try at("index \(index)") { try base.isUnchanged(pair.0, since: pair.1, in: context) }
            }
    }
}

extension OneWayTransformer {
    /// This transformer for each element of an array.
    public var ofArray: ArrayTransformer<Self> {
        ArrayTransformer(base: self)
    }
}
