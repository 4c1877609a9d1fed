/// A transformer that is applied to each element of a set.
///
/// Encoding throws an error if two elements have the same encoded form, because one of them would be lost.
public struct SetTransformer<Base: OneWayTransformer>: OneWayTransformer
where Base.Value: Hashable, Base.Encoded: Hashable {
    let base: Base

    /// The traits of the base transformer, except ``TransformerTraits/ordered``.
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
    /// A transformer that applies this one to each element of a set.
    public var ofSet: SetTransformer<Self> {
        SetTransformer(base: self)
    }
}
