public import Foundation
public import Transformable
internal import _PropertyLists

/// Any `Codable` value as a property list, binary or XML; reads either.
///
/// Our own codec: Foundation's is not made for input from outside. Keys are sorted by their UTF-8
/// bytes, equal objects of the binary format are written once, and as with ``JSONTransformer`` sets are
/// sorted. Nesting deeper than 512, cycles of objects, and objects shared so often that they unfold to
/// more than 16,777,216 values are errors.
///
/// In XML a date has whole seconds, text has no control characters, and the encoding is UTF-8.
public struct PropertyListTransformer<Value: Codable>: Transformer {
    private let format: PropertyListFormat

    /// Makes a transformer of property lists.
    ///
    /// - Parameter format: How they are written.
    public init(format: PropertyListFormat = .binary) {
        self.format = format
    }

    /// Lossy as XML, which has no fractions of a second.
    public var traits: TransformerTraits {
        format == .binary ? .deterministic : [.deterministic, .lossy]
    }

    /// The value's property list.
    public func encode(_ value: Value, in context: TransformContext) throws -> Data {
        let tree = try TreeEncoder<PropertyListValue>.tree(of: value, TreeOptions())
        return try tree.propertyList(format)
    }

    /// The property list's value.
    public func decode(_ encoded: Data, in context: TransformContext) throws -> Value {
        let tree = try PropertyListValue(propertyList: encoded)
        return try TreeDecoder<PropertyListValue>.value(of: tree, TreeOptions())
    }
}

extension PropertyListValue {
    /// JSON or a property list is read; JSON is written where it holds all of the value, else XML, with the
    /// fractions of dates, which the format itself lacks.
    static let humanForm = HumanForm<PropertyListValue>(
        isText: true,
        parse: { bytes in
            let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            return try first == UInt8(ascii: "<") || PropertyListReader.recognises(bytes)
                ? PropertyListTransformer().decode(bytes)
                : PropertyListValue(JSONTransformer<JSONValue>().decode(bytes))
        },
        print: { value, _ in
            guard let json = value.json else { return try value.exactXML() }
            return try JSONTransformer(pretty: true).encode(json)
        }
    )

    /// The same value of a property list.
    init(_ json: JSONValue) throws(TransformerError) {
        switch json {
        case .null: throw .invalidValue("a property list has no null")
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .unsignedInteger(let value): self = .unsignedInteger(value)
        case .double(let value): self = .real(value)
        case .number: throw .invalidValue("a property list has no number of so many digits")
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

    /// The same value of JSON; nil if JSON has no type for a part of it.
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
