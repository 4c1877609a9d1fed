public import Foundation

/// A type that converts a value to an encoded form that cannot be decoded.
///
/// Digests, blind indexes, and the width of an image are one-way transformers. A store accepts a one-way transformer
/// for a projection, but not for an attribute.
///
/// An implementation must be safe to use from several threads at the same time. Unless it lacks the trait
/// ``TransformerTraits/deterministic``, it must return the same result for the same input.
public protocol OneWayTransformer<Value, Encoded>: Sendable {
    /// The type of the values.
    associatedtype Value
    /// The type of the encoded form. In a store, it is `Data`, or for a projection `Int64`, `Double`, or `String`.
    associatedtype Encoded

    /// The properties that callers can rely on.
    var traits: TransformerTraits { get }

    /// Encodes a value.
    ///
    /// - Parameters:
    ///   - value: The value to encode. It is never nil, because a store represents nil as NULL.
    ///   - context: The context of the value, which only a ``TransformerTraits/contextual`` transformer uses.
    /// - Returns: The encoded form.
    /// - Throws: ``TransformerError``, usually with the code ``TransformerError/Code/invalidValue``, if the value
    ///   cannot be encoded.
    func encode(_ value: Value, in context: TransformContext) throws -> Encoded

    /// Returns all encoded forms that may be stored for an equal value.
    ///
    /// There can be several while keys are being rotated: one digest for each active key. The default implementation
    /// returns a single encoded form.
    ///
    /// - Parameters:
    ///   - value: The value to look for.
    ///   - context: The context of the values, which does not include an object.
    /// - Returns: The encoded forms to compare with, in any order.
    /// - Throws: Any error thrown by ``encode(_:in:)``.
    func candidates(for value: Value, in context: TransformContext) throws -> [Encoded]

    /// Returns all encoded forms that may be stored for a value that equals one of several values.
    ///
    /// A store looks for text in every form that Swift considers equal, and there can be hundreds of them. The default
    /// implementation calls ``candidates(for:in:)`` for each value. Implement this method if encoding takes long and
    /// many of the values have the same encoded form.
    ///
    /// - Parameters:
    ///   - values: The values to look for.
    ///   - context: The context of the values, which does not include an object.
    /// - Returns: The candidates of all values, in any order. The same candidate may be included once or several times.
    /// - Throws: Any error thrown by ``candidates(for:in:)``.
    func candidates(forAnyOf values: [Value], in context: TransformContext) throws -> [Encoded]
}

/// A type that converts a value to an encoded form and back.
///
/// `decode(encode(value))` returns the value, unless the transformer has the trait ``TransformerTraits/lossy``. Encoded
/// bytes can come from an untrusted source. For every input, `decode` must return a value or throw a
/// ``TransformerError``. It must check limits before it allocates memory, and must neither trap nor hang.
public protocol Transformer<Value, Encoded>: OneWayTransformer {
    /// Decodes an encoded form.
    ///
    /// - Parameters:
    ///   - encoded: The encoded form, which can be damaged or malicious.
    ///   - context: The context of the value. For a contextual transformer, it must be the same as for encoding.
    /// - Returns: The value.
    /// - Throws: ``TransformerError``, usually with the code ``TransformerError/Code/invalidData`` and an offset, if
    ///   the encoded form is invalid.
    func decode(_ encoded: Encoded, in context: TransformContext) throws -> Value

    /// Returns whether storing a value would leave the stored form unchanged.
    ///
    /// The default implementation compares encoded forms if the transformer is deterministic, and decoded values
    /// otherwise.
    ///
    /// - Parameters:
    ///   - value: The current value.
    ///   - encoded: The stored form.
    ///   - context: The context of the value.
    /// - Returns: Whether the value is unchanged, or `false` if equality cannot be determined.
    /// - Throws: Any error thrown by ``OneWayTransformer/encode(_:in:)`` or ``decode(_:in:)``.
    func isUnchanged(_ value: Value, since encoded: Encoded, in context: TransformContext) throws -> Bool
}

extension OneWayTransformer {
    /// Returns the encoded form of the value.
    public func candidates(for value: Value, in context: TransformContext) throws -> [Encoded] {
        [try encode(value, in: context)]
    }

    /// Returns the candidates of each value.
    public func candidates(forAnyOf values: [Value], in context: TransformContext) throws -> [Encoded] {
        try values.flatMap { try candidates(for: $0, in: context) }
    }

    /// Encodes a value without a context.
    ///
    /// - Parameter value: The value to encode.
    /// - Returns: The encoded form.
    /// - Throws: ``TransformerError`` if the value cannot be encoded.
    public func encode(_ value: Value) throws -> Encoded {
        try encode(value, in: .none)
    }
}

extension Transformer {
    /// Compares encoded forms if the transformer is deterministic, or decoded values otherwise.
    public func isUnchanged(_ value: Value, since encoded: Encoded, in context: TransformContext) throws -> Bool {
        if traits.contains(.deterministic) {
            return areEqual(try encode(value, in: context), encoded)
        }
        return areEqual(value, try decode(encoded, in: context))
    }

    /// Decodes an encoded form without a context.
    ///
    /// - Parameter encoded: The encoded form.
    /// - Returns: The value.
    /// - Throws: ``TransformerError`` if the encoded form is invalid.
    public func decode(_ encoded: Encoded) throws -> Value {
        try decode(encoded, in: .none)
    }
}

/// Returns whether two values of an `Equatable` type are equal, or `false` for any other type.
private func areEqual<T>(_ left: T, _ right: T) -> Bool {
    func compare<E: Equatable>(_ left: E) -> Bool {
        left == right as? E
    }
    guard let left = left as? any Equatable else { return false }
    return compare(left)
}

/// The location of a value: its store, entity, attribute, object, and tenant, each given by a stable identifier.
///
/// A contextual transformer, such as one that encrypts, binds its output to this location. The identifiers do not
/// change when something is renamed. Unknown identifiers are nil.
public struct TransformContext: Sendable, Hashable {
    /// The store's UUID.
    public var store: UUID?
    /// The number of the entity in its store.
    public var entity: UInt32?
    /// The number of the attribute in its store.
    public var attribute: UInt32?
    /// The number of the object in its entity.
    public var object: Int64?
    /// The number of the tenant that the object belongs to, or nil for an object that belongs to no tenant.
    public var tenant: Int64?

    /// Creates a context.
    public init(
        store: UUID? = nil,
        entity: UInt32? = nil,
        attribute: UInt32? = nil,
        object: Int64? = nil,
        tenant: Int64? = nil
    ) {
        self.store = store
        self.entity = entity
        self.attribute = attribute
        self.object = object
        self.tenant = tenant
    }

    /// A context without any location.
    public static let none = Self()
}

/// The properties of a transformer that callers can rely on.
///
/// Whether a transformer can decode is determined by its type: ``Transformer`` or ``OneWayTransformer``.
public struct TransformerTraits: OptionSet, Sendable, Hashable {
    /// The bits of the option set.
    public let rawValue: UInt16

    /// Creates a set of traits from its bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A value has the same encoded form every time.
    public static let deterministic = Self(rawValue: 1 << 0)
    /// Equal values have the same encoded form, byte for byte.
    ///
    /// This includes dictionaries that differ in insertion order, and strings that differ in
    /// normalization, because Swift considers them equal.
    public static let canonical = Self(rawValue: 1 << 1)
    /// Encoded forms are ordered like their values.
    ///
    /// Numbers are compared numerically, and text and data are compared bytewise.
    public static let ordered = Self(rawValue: 1 << 2)
    /// Decoding may lose information.
    public static let lossy = Self(rawValue: 1 << 3)
    /// The encoded form is bound to its ``TransformContext``.
    public static let contextual = Self(rawValue: 1 << 4)
    /// Decoding fails unless the bytes were encoded by someone who has the key.
    public static let authenticated = Self(rawValue: 1 << 5)
    /// Values are secret.
    ///
    /// They must not appear in errors, logs, or descriptions.
    public static let confidential = Self(rawValue: 1 << 6)

    /// The transformer compresses: the length of the encoded form depends on the content of the value, not only on its
    /// length.
    public static let compressing = Self(rawValue: 1 << 7)

    /// The traits of most codecs: equal values have equal encoded forms, every time.
    public static let plain: Self = [.deterministic, .canonical]

    private static let names: [(trait: Self, name: String)] = [
        (.deterministic, "deterministic"), (.canonical, "canonical"), (.ordered, "ordered"), (.lossy, "lossy"),
        (.contextual, "contextual"), (.authenticated, "authenticated"), (.confidential, "confidential"),
        (.compressing, "compressing"),
    ]

    /// Returns the traits of a composition of two transformers.
    ///
    /// - Parameter next: The traits of the transformer that takes the encoded form of this one.
    /// - Returns: The traits of the composition.
    public func then(_ next: Self) -> Self {
        let bothNeeded: Self = [.deterministic, .ordered]
        let eitherSuffices: Self = [.lossy, .contextual, .authenticated, .confidential, .compressing]
        var result = intersection(next).intersection(bothNeeded).union(union(next).intersection(eitherSuffices))
        // The first stage gives equal values the same encoded form, so the second stage only needs to be deterministic.
        if contains(.canonical), next.contains(.deterministic) {
            result.insert(.canonical)
        }
        return result
    }

    /// The names of the traits, in the order of their declarations.
    public var descriptions: [String] {
        Self.names.filter { contains($0.trait) }.map(\.name)
    }
}

extension TransformerTraits: CustomStringConvertible {
    /// The names of the traits, separated by commas.
    public var description: String {
        descriptions.joined(separator: ", ")
    }
}
