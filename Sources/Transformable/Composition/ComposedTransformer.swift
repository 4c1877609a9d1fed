/// Two transformers combined into one: the first encodes the value, and the second encodes the result.
///
/// Create a composition with ``OneWayTransformer/then(_:)``. It can decode if both transformers can. If the second
/// transformer is confidential, errors of the first one do not include a message or an underlying error, because these
/// could reveal the secret.
public struct ComposedTransformer<First: OneWayTransformer, Second: OneWayTransformer>: OneWayTransformer
where First.Encoded == Second.Value {
    let first: First
    let second: Second

    /// The traits of the composition.
    public var traits: TransformerTraits {
        first.traits.then(second.traits)
    }

    /// Encodes a value with the first transformer, then with the second.
    public func encode(_ value: First.Value, in context: TransformContext) throws -> Second.Encoded {
        let middle = try encodeFirst(value, in: context)
        return try second.encode(middle, in: context)
    }

    /// Returns the second transformer's candidates for each candidate of the first.
    public func candidates(for value: First.Value, in context: TransformContext) throws -> [Second.Encoded] {
        try candidates(forAnyOf: [value], in: context)
    }

    /// Returns the second transformer's candidates for all candidates of the first together.
    public func candidates(
        forAnyOf values: [First.Value],
        in context: TransformContext
    ) throws -> [Second.Encoded] {
        let middles: [First.Encoded]
        do {
            middles = try first.candidates(forAnyOf: values, in: context)
        } catch {
            throw onPlainSide(error)
        }
        return try second.candidates(forAnyOf: middles, in: context)
    }

    private func encodeFirst(_ value: First.Value, in context: TransformContext) throws -> First.Encoded {
        do {
            return try first.encode(value, in: context)
        } catch {
            throw onPlainSide(error)
        }
    }

    /// Returns the error of the first transformer, without anything that must not be shown.
    func onPlainSide(_ error: any Error) -> any Error {
        guard second.traits.contains(.confidential) else { return error }
        return ((error as? TransformerError) ?? TransformerError(.invalidValue, "")).redacted()
    }
}

extension ComposedTransformer: Transformer where First: Transformer, Second: Transformer {
    /// Decodes an encoded form with the second transformer, then with the first.
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

    /// Compares encoded forms if both transformers are deterministic, or else what the second one decodes.
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

extension ComposedTransformer: CompositeTransformer {
    package var parts: [any OneWayTransformer] { [first, second] }
}

/// A transformer that is made of others.
package protocol CompositeTransformer: OneWayTransformer {
    /// The transformers, in the order in which they encode.
    var parts: [any OneWayTransformer] { get }
}

extension OneWayTransformer {
    /// The transformers that this one is made of, in the order in which they encode, or itself if it is not made of others.
    ///
    /// A plugin can combine transformers in code, and what depends on one of them, such as its keys, must be found as if
    /// it were a stage.
    package var components: [any OneWayTransformer] {
        guard let composite = self as? any CompositeTransformer else { return [self] }
        return composite.parts.flatMap { $0.components }
    }
}

extension OneWayTransformer {
    /// Returns a composition that encodes the output of this transformer with another one.
    ///
    /// - Parameter next: The transformer that takes the encoded form of this one.
    /// - Returns: The composition, which can decode if both transformers can.
    public func then<Next: OneWayTransformer>(_ next: Next) -> ComposedTransformer<Self, Next>
    where Next.Value == Encoded {
        ComposedTransformer(first: self, second: next)
    }
}

/// A transformer that swaps encoding and decoding of another one.
public struct InvertedTransformer<Base: Transformer>: Transformer {
    /// The original transformer, which is the inverse of this one.
    public let inverted: Base

    /// The traits that also apply to decoding.
    public var traits: TransformerTraits {
        inverted.traits.intersection([.deterministic, .contextual, .confidential, .lossy])
    }

    /// Decodes with the original transformer.
    public func encode(_ value: Base.Encoded, in context: TransformContext) throws -> Base.Value {
        try inverted.decode(value, in: context)
    }

    /// Encodes with the original transformer.
    public func decode(_ encoded: Base.Value, in context: TransformContext) throws -> Base.Encoded {
        try inverted.encode(encoded, in: context)
    }
}

extension Transformer {
    /// A transformer that swaps encoding and decoding.
    public var inverted: InvertedTransformer<Self> {
        InvertedTransformer(inverted: self)
    }
}

/// A transformer that leaves every value unchanged, for use in compositions and tests.
public struct IdentityTransformer<Value>: Transformer {
    /// Creates an identity transformer.
    public init() {}

    /// The identity is not canonical, because it preserves differences between equal values, such
    /// as the normalization of text or the sign of 0.
    public var traits: TransformerTraits { [.deterministic, .ordered] }

    /// Returns the value.
    public func encode(_ value: Value, in context: TransformContext) -> Value { value }

    /// Returns the value.
    public func decode(_ encoded: Value, in context: TransformContext) -> Value { encoded }
}
