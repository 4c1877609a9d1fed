public import Foundation
public import Transformable

/// A transformer that converts any `Codable` value to JSON (RFC 8259).
///
/// Names are sorted by their UTF-8 bytes, slashes are not escaped, and numbers have the shortest form that represents
/// them exactly. Data becomes base 64, a URL its text, and a `Decimal` its exact text. Sets, and dictionaries whose
/// keys are not strings or integers, are sorted, so that equal values have equal bytes. NaN and infinities are errors.
///
/// Decoding requires UTF-8 without a byte order mark. The top-level value can be of any type. A name that occurs twice
/// in an object and nesting of more than 512 levels are errors.
public struct JSONTransformer<Value: Codable>: Transformer {
    private let dates: JSONDates
    private let pretty: Bool

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - dates: The representation of dates.
    ///   - pretty: Whether the JSON is indented and written on several lines.
    public init(dates: JSONDates = .iso8601, pretty: Bool = false) {
        self.dates = dates
        self.pretty = pretty
    }

    /// The traits of the transformer.
    ///
    /// It is not canonical, because strings that differ in normalization keep their bytes, as do 0 and −0.
    public var traits: TransformerTraits {
        dates == .unix ? [.deterministic, .lossy] : .deterministic
    }

    /// Returns the JSON of a value.
    public func encode(_ value: Value, in context: TransformContext) throws -> Data {
        let tree = try TreeEncoder.tree(of: value, .json(TreeOptions(dates: dates)))
        var writer = JSONWriter(pretty: pretty)
        try writer.write(tree)
        return Data(writer.bytes)
    }

    /// Decodes a value from JSON.
    public func decode(_ encoded: Data, in context: TransformContext) throws -> Value {
        var reader = JSONReader([UInt8](encoded))
        return try TreeDecoder<JSONValue>.value(of: try reader.readDocument(), TreeOptions(dates: dates))
    }
}

extension JSONValue {
    static let humanForm = HumanForm<JSONValue>
        .init(
            isText: true,
            parse: { try JSONTransformer().decode($0) },
            print: { value, _ in try JSONTransformer(pretty: true).encode(value) }
        )
}

/// The representation of dates in JSON, which has no type for them.
public enum JSONDates: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The text of ``ISO8601Transformer``, which represents dates exactly.
    case iso8601
    /// The number of seconds since 1970.
    case unix
    /// The number of seconds since 2001, which is the default of Foundation's coders.
    case reference
}
