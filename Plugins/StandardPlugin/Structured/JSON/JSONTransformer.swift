public import Foundation
public import Transformable

/// Any `Codable` value as JSON (RFC 8259): names sorted by their UTF-8 bytes, slashes bare, and numbers
/// in the shortest form that reads back to them.
///
/// Data is base 64, a URL its text, a `Decimal` its exact text. Sets, and dictionaries whose keys are no
/// names, are sorted, so that equal values give equal bytes. NaN and the infinities are errors.
///
/// Reads UTF-8 without a byte order mark; any value may stand at the top. A name that occurs twice in
/// an object and nesting deeper than 512 are errors.
public struct JSONTransformer<Value: Codable>: Transformer {
    private let dates: JSONDates
    private let pretty: Bool

    /// Makes a transformer of JSON.
    ///
    /// - Parameters:
    ///   - dates: How dates are written and read.
    ///   - pretty: Whether it is indented, on many lines.
    public init(dates: JSONDates = .iso8601, pretty: Bool = false) {
        self.dates = dates
        self.pretty = pretty
    }

    /// Not canonical: texts that are equal but for normalization keep their bytes, as do 0 and −0.
    public var traits: TransformerTraits {
        dates == .unix ? [.deterministic, .lossy] : .deterministic
    }

    /// The value's JSON.
    public func encode(_ value: Value, in context: TransformContext) throws -> Data {
        let tree = try TreeEncoder<JSONValue>.tree(of: value, TreeOptions(dates: dates))
        var writer = JSONWriter(pretty: pretty)
        try writer.write(tree)
        return Data(writer.bytes)
    }

    /// The JSON's value.
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
