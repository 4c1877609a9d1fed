internal import Foundation
internal import Transformable

/// A format that `Codable` values are encoded to.
enum TreeFormat {
    case json(TreeOptions)
    case propertyList

    /// The name of the format in messages.
    var name: String {
        switch self {
        case .json: "JSON"
        case .propertyList: "a property list"
        }
    }

    /// The type of the format's own values, which are encoded as they are.
    var valueType: Any.Type {
        switch self {
        case .json: JSONValue.self
        case .propertyList: PropertyListValue.self
        }
    }

    /// Returns one of the format's own values as a tree, or nil for any other value.
    func tree(ofOwn value: Any) -> EncodedTree? {
        switch self {
        case .json: (value as? JSONValue).map(EncodedTree.json)
        case .propertyList: (value as? PropertyListValue).map(EncodedTree.propertyList)
        }
    }

    /// The representation of nil.
    ///
    /// Property lists have none, so it is what Foundation writes.
    var null: EncodedTree {
        switch self {
        case .json: .json(.null)
        case .propertyList: .propertyList(.nilValue)
        }
    }

    func tree(_ value: Bool) -> EncodedTree {
        switch self {
        case .json: .json(.bool(value))
        case .propertyList: .propertyList(.bool(value))
        }
    }

    func tree(_ value: Int64) -> EncodedTree {
        switch self {
        case .json: .json(.integer(value))
        case .propertyList: .propertyList(.integer(value))
        }
    }

    func tree(_ value: UInt64) -> EncodedTree {
        switch self {
        case .json: .json(.unsignedInteger(value))
        case .propertyList: .propertyList(.unsignedInteger(value))
        }
    }

    /// Returns text, or nil if the format cannot represent it.
    ///
    /// In a property list, the text that represents nil is not decoded as text, by Foundation either.
    func tree(_ value: String) -> EncodedTree? {
        switch self {
        case .json: return .json(.string(value))
        case .propertyList:
            let text = PropertyListValue.string(value)
            return text.isNil ? nil : .propertyList(text)
        }
    }

    /// Returns a number, or nil if the format cannot represent it.
    func tree(_ value: Double) -> EncodedTree? {
        switch self {
        case .json: value.isFinite ? .json(.double(value)) : nil
        case .propertyList: .propertyList(.real(value))
        }
    }

    /// Returns a number, or nil if the format cannot represent it.
    ///
    /// In JSON, it is the double with the same shortest text as the float, which is decoded to the same float.
    func tree(_ value: Float) -> EncodedTree? {
        switch self {
        case .json: value.isFinite ? .json(.double(Double(value.description) ?? Double(value))) : nil
        case .propertyList: .propertyList(.real(Double(value)))
        }
    }

    func tree(_ value: Date) throws -> EncodedTree {
        switch self {
        case .json(let options):
            switch options.dates {
            case .iso8601: .json(.string(try ISO8601Transformer().encode(value)))
            case .unix: .json(.double(try UnixTimeTransformer().encode(value)))
            case .reference: .json(.double(try ReferenceTimeTransformer().encode(value)))
            }
        case .propertyList: .propertyList(.date(value))
        }
    }

    func tree(_ value: Data) -> EncodedTree {
        switch self {
        case .json: .json(.string(Base64Transformer().encode(value, in: .none)))
        case .propertyList: .propertyList(.data(value))
        }
    }

    /// Returns bytes that determine the order of the elements of a set.
    func sortingBytes(of tree: EncodedTree) throws -> [UInt8] {
        switch self {
        case .json:
            var writer = JSONWriter()
            try writer.write(tree)
            return writer.bytes
        case .propertyList: return [UInt8](try tree.propertyList?.propertyList(.binary) ?? Data())
        }
    }
}
