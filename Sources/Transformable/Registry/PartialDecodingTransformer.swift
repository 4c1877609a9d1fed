public import Foundation

/// A transformer that can decode a part of a value even if the whole cannot be represented.
///
/// For example, an object graph with cycles has parts that can be represented, but the graph as a whole cannot. The
/// command `decode --extract users.0.name` uses this protocol if decoding the whole fails.
public protocol PartialDecodingTransformer: Transformer {
    /// Decodes a part.
    ///
    /// - Parameters:
    ///   - names: The path of the part: names of members and indexes of elements, from the outside in.
    ///   - encoded: The encoded form of the whole.
    ///   - context: The context of the value.
    /// - Returns: The part, or nil if there is none or it cannot be represented either.
    /// - Throws: ``TransformerError`` if the encoded form is invalid.
    func decodePart(named names: [String], of encoded: Encoded, in context: TransformContext) throws -> Value?
}

extension ResolvedTransformer {
    /// Decodes a part of a value whose type is known only at run time.
    ///
    /// - Parameters:
    ///   - names: The path of the part: names of members and indexes of elements, from the outside in.
    ///   - encoded: The encoded form of the whole value, of type ``encodedType``.
    ///   - context: The context of the value.
    /// - Returns: The part, of type ``valueType``, or nil if there is none or the first stage does not conform to
    ///   ``PartialDecodingTransformer``.
    /// - Throws: ``TransformerError`` if the encoded form is invalid.
    public func decodePart(
        named names: [String],
        ofAny encoded: Any,
        in context: TransformContext
    ) throws -> Any? {
        guard let first = stages.first?.registered as? any PartialDecodingTransformer else { return nil }
        let encoded = try stages.dropFirst().reversed()
            .reduce(encoded) { encoded, stage in
                guard let transformer = stage.transformer as? any Transformer else {
                    throw TransformerError.notReversible(expression, culprit: stage.name)
                }
                return try transformer.decode(any: encoded, in: context)
            }
        return try first.decodePart(named: names, ofAny: encoded, in: context)
    }
}

extension Transformer {
    fileprivate func decode(any encoded: Any, in context: TransformContext) throws -> Any {
        guard let encoded = encoded as? Encoded else {
            throw TransformerError.unsupportedType(type(of: encoded), expected: Encoded.self)
        }
        return try decode(encoded, in: context)
    }
}

extension PartialDecodingTransformer {
    fileprivate func decodePart(named names: [String], ofAny encoded: Any, in context: TransformContext) throws -> Any?
    {
        guard let encoded = encoded as? Encoded else {
            throw TransformerError.unsupportedType(type(of: encoded), expected: Encoded.self)
        }
        return try decodePart(named: names, of: encoded, in: context)
    }
}

/// A value with parts that can be named: members of an object by name, and elements by index.
///
/// The command `decode --extract users.0.name` uses this protocol to find a part.
///
/// ```swift
/// let name = value.part(named: "users")?.part(named: "0")?.part(named: "name")
/// ```
public protocol PartedValue {
    /// Whether the value can have parts. This is true for an array, for example, even if it is empty.
    var hasParts: Bool { get }

    /// Returns a part.
    ///
    /// - Parameter name: The name of a member, or the index of an element in decimal digits.
    /// - Returns: The part, or nil if there is none.
    func part(named name: String) -> Self?

    /// The UTF-8 bytes of a string, or the bytes of data, or nil for any other value.
    var rawBytes: Data? { get }
}

extension PartedValue {
    /// Returns an element by its index.
    ///
    /// - Parameters:
    ///   - name: The index in decimal digits.
    ///   - elements: The elements.
    /// - Returns: The element, or nil if there is none.
    public static func element(named name: String, of elements: some Collection<Self>) -> Self? {
        guard let position = Int(name), String(position) == name, 0..<elements.count ~= position else { return nil }
        return elements[elements.index(elements.startIndex, offsetBy: position)]
    }
}
