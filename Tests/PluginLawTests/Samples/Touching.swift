import Transformable

/// A transformer whose decoder also reads what a value puts off until it is asked.
struct TouchingTransformer<Base: Transformer>: Transformer {
    let base: Base
    let touch: @Sendable (Base.Value) throws -> Void

    var traits: TransformerTraits { base.traits }

    func encode(_ value: Base.Value, in context: TransformContext) throws -> Base.Encoded {
        try base.encode(value, in: context)
    }

    func decode(_ encoded: Base.Encoded, in context: TransformContext) throws -> Base.Value {
        let value = try base.decode(encoded, in: context)
        try touch(value)
        return value
    }
}
