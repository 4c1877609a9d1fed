/// A transformer as a stage of an expression: its failures bear its name, and are always typed.
struct StageTransformer<Base: OneWayTransformer>: OneWayTransformer {
    let name: TransformerName
    let base: Base

    var traits: TransformerTraits { base.traits }

    // Plain do and catch, since a closure for each value costs more than many a stage itself.

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

/// What the transformer of a stage was registered as, for who asks which protocols it conforms to.
protocol RegisteredStage {
    var registered: any OneWayTransformer { get }
}

extension StageTransformer: RegisteredStage {
    var registered: any OneWayTransformer { base }
}
