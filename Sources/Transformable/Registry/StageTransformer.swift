/// A stage of an expression.
///
/// It adds its name to errors, and ensures that they are of type ``TransformerError``.
struct StageTransformer<Base: OneWayTransformer>: OneWayTransformer {
    let name: TransformerName
    let base: Base

    var traits: TransformerTraits { base.traits }

    // Uses do and catch directly, because a closure per value costs more than many stages do.

    func encode(_ value: Base.Value, in context: TransformContext) throws -> Base.Encoded {
        do {
            return try base.encode(value, in: context)
        } catch {
            throw named(error, .invalidValue)
        }
    }

    func candidates(for value: Base.Value, in context: TransformContext) throws -> [Base.Encoded] {
        do {
            return try base.candidates(for: value, in: context)
        } catch {
            throw named(error, .invalidValue)
        }
    }

    func candidates(forAnyOf values: [Base.Value], in context: TransformContext) throws -> [Base.Encoded] {
        do {
            return try base.candidates(forAnyOf: values, in: context)
        } catch {
            throw named(error, .invalidValue)
        }
    }

    func named(_ error: any Error, _ code: TransformerError.Code) -> TransformerError {
        guard var known = error as? TransformerError else {
            let secret = traits.contains(.confidential)
            return TransformerError(code, "failed", transformer: name.rawValue, underlying: secret ? nil : error)
        }
        known.transformer = known.transformer ?? name.rawValue
        return known
    }
}

extension StageTransformer: Transformer where Base: Transformer {
    func decode(_ encoded: Base.Encoded, in context: TransformContext) throws -> Base.Value {
        do {
            return try base.decode(encoded, in: context)
        } catch {
            throw named(error, .invalidData)
        }
    }

    func isUnchanged(_ value: Base.Value, since encoded: Base.Encoded, in context: TransformContext) throws -> Bool {
        do {
            return try base.isUnchanged(value, since: encoded, in: context)
        } catch {
            throw named(error, .invalidData)
        }
    }
}

/// Access to a stage's registered transformer, whose protocol conformances can be queried.
protocol RegisteredStage {
    var registered: any OneWayTransformer { get }
}

extension StageTransformer: CompositeTransformer {
    var parts: [any OneWayTransformer] { [base] }
}

extension StageTransformer: RegisteredStage {
    var registered: any OneWayTransformer { base }
}
