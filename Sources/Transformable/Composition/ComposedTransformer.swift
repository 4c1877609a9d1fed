/// Two transformers as one: the first encodes the value, the second what the first gave.
///
/// Made by ``OneWayTransformer/then(_:)``. Decodes if both can. If the second is confidential,
/// failures of the first come without message and cause, since they may quote the secret.
public struct ComposedTransformer<First: OneWayTransformer, Second: OneWayTransformer>: OneWayTransformer
where First.Encoded == Second.Value {
    let first: First
    let second: Second

    /// What holds of this transformer.
    public var traits: TransformerTraits {
        first.traits.then(second.traits)
    }

    /// Encodes by the first transformer, then by the second.
    public func encode(_ value: First.Value, in context: TransformContext) throws -> Second.Encoded {
        let middle = try encodeFirst(value, in: context)
        return try second.encode(middle, in: context)
    }

    /// The second transformer's candidates for each of the first's.
    public func candidates(for value: First.Value, in context: TransformContext) throws -> [Second.Encoded] {
        let middles: [First.Encoded]
        do {
            middles = try first.candidates(for: value, in: context)
        } catch {
            throw onPlainSide(error)
        }
        return try middles.flatMap { try second.candidates(for: $0, in: context) }
    }

    private func encodeFirst(_ value: First.Value, in context: TransformContext) throws -> First.Encoded {
        do {
            return try first.encode(value, in: context)
        } catch {
            throw onPlainSide(error)
        }
    }

    /// What the first transformer threw, as far as it may be shown.
    func onPlainSide(_ error: any Error) -> any Error {
        guard second.traits.contains(.confidential) else { return error }
        return ((error as? TransformerError) ?? TransformerError(.invalidValue, "")).redacted()
    }
}

extension ComposedTransformer: Transformer where First: Transformer, Second: Transformer {
    /// Decodes by the second transformer, then by the first.
    public func decode(_ encoded: Second.Encoded, in context: TransformContext) throws -> First.Value {
        let middle = try second.decode(encoded, in: context)
        return try decodeFirst(middle, in: context)
    }

    func decodeFirst(_ plain: First.Encoded, in context: TransformContext) throws -> First.Value {
        do {
            return try first.decode(plain, in: context)
        } catch {
            throw onPlainSide(error)
        }
    }

    /// Compares bytes if both are deterministic, else what the second decodes.
    public func isUnchanged(
        _ value: First.Value,
        since encoded: Second.Encoded,
        in context: TransformContext
    ) throws -> Bool {
        if traits.contains(.deterministic) {
            return try second.isUnchanged(encodeFirst(value, in: context), since: encoded, in: context)
        }
        let plain = try second.decode(encoded, in: context)
        do {
            return try first.isUnchanged(value, since: plain, in: context)
        } catch {
            throw onPlainSide(error)
        }
    }
}

extension OneWayTransformer {
    /// Feeds what this transformer encodes to another one.
    ///
    /// - Parameter next: The transformer that takes this one's encoded form.
    /// - Returns: Both as one, which decodes if both can.
    public func then<Next: OneWayTransformer>(_ next: Next) -> ComposedTransformer<Self, Next>
    where Next.Value == Encoded {
        ComposedTransformer(first: self, second: next)
    }
}
