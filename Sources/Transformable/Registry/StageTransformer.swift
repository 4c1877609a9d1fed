/// A transformer as a stage of an expression: its failures bear its name, and are always typed.
struct StageTransformer<Base: OneWayTransformer>: OneWayTransformer {
    let name: TransformerName
    let base: Base

    var traits: TransformerTraits { base.traits }

    func encode(_ value: Base.Value, in context: TransformContext) throws -> Base.Encoded {
        try named(.invalidValue) { try base.encode(value, in: context) }
    }

    func candidates(for value: Base.Value, in context: TransformContext) throws -> [Base.Encoded] {
        try named(.invalidValue) { try base.candidates(for: value, in: context) }
    }

    private func named<Result>(_ code: TransformerError.Code, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as TransformerError {
            error.transformer = error.transformer ?? name.rawValue
            throw error
        } catch {
            let secret = traits.contains(.confidential)
            throw TransformerError(code, "failed", transformer: name.rawValue, underlying: secret ? nil : error)
        }
    }
}

extension StageTransformer: Transformer where Base: Transformer {
    func decode(_ encoded: Base.Encoded, in context: TransformContext) throws -> Base.Value {
        try named(.invalidData) { try base.decode(encoded, in: context) }
    }

    func isUnchanged(_ value: Base.Value, since encoded: Base.Encoded, in context: TransformContext) throws -> Bool {
        try named(.invalidData) { try base.isUnchanged(value, since: encoded, in: context) }
    }
}
