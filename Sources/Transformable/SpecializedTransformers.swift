public import Foundation

/// A transformer that decodes bytes in place, without requiring that they are copied to `Data` first.
///
/// A store passes the bytes of a row directly, which saves two allocations per value. A composition conforms to this
/// protocol if its second transformer does, because that transformer takes the bytes.
///
/// ```swift
/// struct SeverityTransformer: SpanTransformer {
///     let traits: TransformerTraits = .plain
///
///     func encode(_ value: UInt8, in context: TransformContext) -> Data { Data([value]) }
///
///     func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws(TransformerError) -> UInt8 {
///         guard encoded.count == 1 else { throw .invalidData("a severity must be one byte", offset: encoded.count) }
///         return encoded[0]
///     }
/// }
/// ```
public protocol SpanTransformer<Value>: Transformer where Encoded == Data {
    /// Decodes bytes.
    ///
    /// - Parameters:
    ///   - encoded: The bytes, which can be damaged or malicious. Their indices start at 0.
    ///   - context: The context of the value. For a contextual transformer, it must be the same as for encoding.
    /// - Returns: The value.
    /// - Throws: ``TransformerError``, usually with the code ``TransformerError/Code/invalidData`` and an offset, if
    ///   the bytes are invalid.
    func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> Value
}

extension SpanTransformer {
    /// Decodes the bytes without copying them.
    public func decode(_ encoded: Data, in context: TransformContext) throws -> Value {
        try decode(encoded.span, in: context)
    }
}

extension ComposedTransformer: SpanTransformer where First: Transformer, Second: SpanTransformer {
    /// Decodes an encoded form with the second transformer, then with the first.
    public func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> First.Value {
        let middle = try second.decode(encoded, in: context)
        return try decodeFirst(middle, in: context)
    }
}

extension StageTransformer: SpanTransformer where Base: SpanTransformer {
    func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> Base.Value {
        do {
            return try base.decode(encoded, in: context)
        } catch {
            throw named(error, .invalidData)
        }
    }
}

/// A one-way transformer, such as a truncated digest, whose suitability depends on the number of distinct values.
public protocol CardinalitySensitiveTransformer: OneWayTransformer {
    /// Advice that applies regardless of the number of values, as a sentence without a period.
    var advice: String { get }

    /// Verifies that the transformer is suitable for a number of values.
    ///
    /// - Parameter distinctValues: The expected number of distinct values.
    /// - Throws: ``TransformerError``, which explains the problem and suggests a solution, if the transformer is not
    ///   suitable.
    func verify(distinctValues: Int) throws

    /// The number of bits that a result reveals about its value, or 0 if it is unknown.
    var bitCount: Int { get }

    /// Verifies that the transformer is suitable for a number of values, given other results of the same values.
    ///
    /// Anyone who sees several results of a value has the bits of all of them.
    ///
    /// - Parameters:
    ///   - distinctValues: The expected number of distinct values.
    ///   - others: The number of bits that other results reveal about the same value.
    /// - Throws: ``TransformerError``, which explains the problem and suggests a solution, if the transformer is not
    ///   suitable.
    func verify(distinctValues: Int, besides others: Int) throws
}

extension CardinalitySensitiveTransformer {
    /// Returns 0.
    public var bitCount: Int { 0 }

    /// Calls ``verify(distinctValues:)``.
    public func verify(distinctValues: Int, besides others: Int) throws {
        try verify(distinctValues: distinctValues)
    }
}

/// A one-way transformer, such as a keyed digest, whose results depend on keys that its arguments do not show.
///
/// A store records the identifiers of the keys that were used for a projection. If the current key ring lacks one of
/// them, a condition on the projection fails, instead of silently missing objects. Identifiers are stored unencrypted:
/// they must reveal nothing about a key except which one it is, and must not contain spaces.
public protocol KeyIdentifyingTransformer: OneWayTransformer {
    /// The identifier of the key for new results, or nil if there is none.
    var currentKey: String? { get }

    /// Verifies that results under the given keys are among the candidates.
    ///
    /// - Parameter identifiers: The values that ``currentKey`` had when the results were computed.
    /// - Throws: ``TransformerError``, which names the key, if a key is missing or no longer in use.
    func requireKeys(_ identifiers: [String]) throws
}
