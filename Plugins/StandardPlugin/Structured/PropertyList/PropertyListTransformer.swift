public import Foundation
public import Transformable
internal import _PropertyLists

/// A transformer that converts any `Codable` value to a property list, in binary or XML format.
///
/// It decodes both formats.
///
/// It does not use Foundation's coder, which is not suitable for untrusted input. Keys are sorted by their UTF-8 bytes,
/// equal objects are written only once in the binary format, and sets are sorted as in ``JSONTransformer``.
///
/// Nesting of more than 512 levels and cycles are errors. So are more than 16,777,216 values, and shared objects that
/// expand to more values than 100,000 plus 16 for each byte.
///
/// As in Foundation, nil in an array or a dictionary is the text `$null`, so a value that contains this text is an error.
///
/// A URL and a `Decimal` are text, which Foundation's coder does not decode. The dictionaries that it writes for them can
/// also be decoded.
///
/// In XML, dates have whole seconds, text must not contain control characters, and the encoding is UTF-8.
public struct PropertyListTransformer<Value: Codable>: Transformer {
    private let format: PropertyListFormat

    /// Creates a transformer.
    ///
    /// - Parameter format: The format to write.
    public init(format: PropertyListFormat = .binary) {
        self.format = format
    }

    /// The traits of the transformer.
    ///
    /// It is lossy for XML, which cannot represent fractions of a second.
    public var traits: TransformerTraits {
        format == .binary ? .deterministic : [.deterministic, .lossy]
    }

    /// Returns the property list of a value.
    public func encode(_ value: Value, in context: TransformContext) throws -> Data {
        let tree = try TreeEncoder.tree(of: value, .propertyList)
        guard let list = tree.propertyList else { throw TransformerError.invalidValue("part of it is JSON") }
        return try list.propertyList(format)
    }

    /// Decodes a value from a property list.
    public func decode(_ encoded: Data, in context: TransformContext) throws -> Value {
        let tree = try PropertyListValue(propertyList: encoded)
        return try TreeDecoder<PropertyListValue>.value(of: tree, TreeOptions())
    }
}

extension PropertyListValue {
    /// The human-readable form, which parses JSON or a property list.
    ///
    /// It prints JSON if JSON can represent the whole value, or else XML that includes the fractions of dates, which
    /// the format itself cannot represent. More than a gigabyte of text and data is an error: with shared objects, a few
    /// bytes can represent more text than fits in memory.
    static let humanForm = HumanForm<PropertyListValue>(
        isText: true,
        parse: { bytes in
            let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            return try first == UInt8(ascii: "<") || PropertyListReader.recognizes(bytes)
                ? PropertyListTransformer().decode(bytes)
                : PropertyListValue(JSONTransformer<JSONValue>().decode(bytes))
        },
        print: { value, _ in
            try value.checkText(limit: 1 << 30, "extract a part of it")
            guard let json = value.json else { return try value.exactXML() }
            return try JSONTransformer(pretty: true).encode(json)
        }
    )

    /// Creates a property list value from a JSON value.
    init(_ json: JSONValue) throws(TransformerError) {
        switch json {
        case .null: throw .invalidValue("a property list cannot contain null")
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .unsignedInteger(let value): self = .unsignedInteger(value)
        case .double(let value): self = .real(value)
        case .number: throw .invalidValue("a property list cannot contain a number with so many digits")
        case .string(let value): self = .string(value)
        case .array(let values):
            self = .array(try values.map { value throws(TransformerError) in try Self(value) })
        case .object(let members):
            var result: [String: Self] = [:]
            for (key, value) in members {
                result[key] = try Self(value)
            }
            self = .dictionary(result)
        }
    }

    /// The value as JSON, or nil if JSON has no type for a part of it.
    private var json: JSONValue? {
        switch self {
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .unsignedInteger(let value): return .unsignedInteger(value)
        case .real(let value): return value.isFinite ? .double(value) : nil
        case .string(let value): return .string(value)
        case .data, .date, .uid: return nil
        case .array(let values):
            let json = values.compactMap(\.json)
            return json.count == values.count ? .array(json) : nil
        case .dictionary(let members):
            let json = members.compactMapValues(\.json)
            return json.count == members.count ? .object(json) : nil
        }
    }
}

/// The format of a property list.
public enum PropertyListFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Apple's binary format, version 00.
    case binary
    /// Apple's XML format, in which dates have whole seconds.
    case xml
}
