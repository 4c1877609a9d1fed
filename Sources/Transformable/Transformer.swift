/// Converts a value to its encoded form, with no way back.
///
/// Digests, blind indexes and an image's width are one-way. A store refuses a one-way transformer
/// for an attribute and accepts it for a projection.
///
/// An implementation must be usable from any number of threads at once, and must give the same
/// result for the same input unless it lacks the trait ``TransformerTraits/deterministic``.
public protocol OneWayTransformer<Value, Encoded>: Sendable {
    /// What a program works with.
    associatedtype Value
    /// What is stored: in the end `Data`, or `Int64`, `Double` or `String` for a projection.
    associatedtype Encoded

    /// What callers may rely on.
    var traits: TransformerTraits { get }

    /// Gives the encoded form of a value.
    ///
    /// - Parameters:
    ///   - value: The value to encode; never nil, which stays NULL in a store.
    ///   - context: Where the value lives. Only a ``TransformerTraits/contextual`` transformer reads it.
    /// - Returns: The encoded form.
    /// - Throws: ``TransformerError``, usually with ``TransformerError/Code/invalidValue``.
    func encode(_ value: Value, in context: TransformContext) throws -> Encoded

    /// Gives every encoded form under which an equal value may be stored.
    ///
    /// There are several while keys rotate: one digest per active key. The default is the one
    /// encoded form.
    ///
    /// - Parameters:
    ///   - value: The value that is looked for.
    ///   - context: Where the values live; it has no object.
    /// - Returns: The forms to compare with, in any order.
    /// - Throws: What ``encode(_:in:)`` throws.
    func candidates(for value: Value, in context: TransformContext) throws -> [Encoded]
}

/// Converts a value to its encoded form and back.
///
/// `decode(encode(value))` is the value, unless the transformer has the trait
/// ``TransformerTraits/lossy``. Encoded bytes may come from anywhere: `decode` must answer every
/// input with a value or a ``TransformerError``, check its limits before it allocates, and neither
/// trap nor hang.
public protocol Transformer<Value, Encoded>: OneWayTransformer {
    /// Gives the value of an encoded form.
    ///
    /// - Parameters:
    ///   - encoded: The encoded form, possibly damaged or hostile.
    ///   - context: Where the value lives; for a contextual transformer the same as when it was encoded.
    /// - Returns: The value.
    /// - Throws: ``TransformerError``, usually with ``TransformerError/Code/invalidData`` and an offset.
    func decode(_ encoded: Encoded, in context: TransformContext) throws -> Value

    /// Says whether storing a value would leave what is stored as it is.
    ///
    /// The default compares encoded forms where encoding is deterministic, and decoded values where it is not.
    ///
    /// - Parameters:
    ///   - value: The value as it is now.
    ///   - encoded: What is stored.
    ///   - context: Where the value lives.
    /// - Returns: `false` wherever equality cannot be established.
    /// - Throws: What ``OneWayTransformer/encode(_:in:)`` and ``decode(_:in:)`` throw.
    func isUnchanged(_ value: Value, since encoded: Encoded, in context: TransformContext) throws -> Bool
}

extension OneWayTransformer {
    /// The one encoded form of the value.
    public func candidates(for value: Value, in context: TransformContext) throws -> [Encoded] {
        [try encode(value, in: context)]
    }

    /// Encodes a value that lives nowhere in particular.
    ///
    /// - Parameter value: The value to encode.
    /// - Returns: The encoded form.
    /// - Throws: ``TransformerError``.
    public func encode(_ value: Value) throws -> Encoded {
        try encode(value, in: .none)
    }
}

extension Transformer {
    /// Compares encoded forms if encoding is deterministic, else decoded values.
    public func isUnchanged(_ value: Value, since encoded: Encoded, in context: TransformContext) throws -> Bool {
        if traits.contains(.deterministic) {
            return areEqual(try encode(value, in: context), encoded)
        }
        return areEqual(value, try decode(encoded, in: context))
    }

    /// Decodes a value that lives nowhere in particular.
    ///
    /// - Parameter encoded: The encoded form.
    /// - Returns: The value.
    /// - Throws: ``TransformerError``.
    public func decode(_ encoded: Encoded) throws -> Value {
        try decode(encoded, in: .none)
    }
}

/// Whether two values of an `Equatable` type are equal; `false` for any other type.
private func areEqual<T>(_ left: T, _ right: T) -> Bool {
    func compare<E: Equatable>(_ left: E) -> Bool {
        left == right as? E
    }
    guard let left = left as? any Equatable else { return false }
    return compare(left)
}
