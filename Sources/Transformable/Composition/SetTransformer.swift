/// A transformer of sets, element by element.
///
/// Encoding a set whose elements share an encoded form is an error, since it would lose one.
public struct SetTransformer<Base: OneWayTransformer>: OneWayTransformer
where Base.Value: Hashable, Base.Encoded: Hashable {
    let base: Base

    /// What holds of this transformer.
    public var traits: TransformerTraits { base.traits.subtracting(.ordered) }

    /// Encodes each element.
    public func encode(_ values: Set<Base.Value>, in context: TransformContext) throws -> Set<Base.Encoded> {
        let result = Set(try values.map { try base.encode($0, in: context) })
        guard result.count == values.count else {
            throw TransformerError.invalidValue("two elements of the set have the same encoded form")
        }
        return result
    }
}

extension SetTransformer: Transformer where Base: Transformer {
    /// Decodes each element.
    public func decode(_ encoded: Set<Base.Encoded>, in context: TransformContext) throws -> Set<Base.Value> {
        let result = Set(try encoded.map { try base.decode($0, in: context) })
        guard result.count == encoded.count else {
            throw TransformerError.invalidData("two elements of the set decode to the same value")
        }
        return result
    }
}

extension OneWayTransformer where Value: Hashable, Encoded: Hashable {
    /// This transformer for each element of a set.
    public var ofSet: SetTransformer<Self> {
        SetTransformer(base: self)
    }
}
