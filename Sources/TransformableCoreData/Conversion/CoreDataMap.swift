public import Foundation
internal import TransformableModel

/// What a person says about a Core Data model when it is converted: which expressions and Swift types take the place of
/// value transformers and classes.
///
/// The map is usually read from JSON:
///
/// ```json
/// {
///     "transformers": { "ColorsTransformer": "acme.colors", "NSURLTransformer": "keyed-archive" },
///     "classes": { "[Int64]": { "expression": "keyed-archive", "type": "[Int64]" } },
///     "attributes": { "Person.tags": { "type": "[String]" } }
/// }
/// ```
///
/// What is said about an attribute takes precedence over what is said about its transformer, and that over what is said
/// about its class.
public struct CoreDataMap: Sendable, Hashable {
    /// What takes the place of a transformer or a class.
    public struct Entry: Sendable, Hashable {
        /// The expression of the transformer that reads the stored bytes, or `nil` if it is not stated.
        public var expression: String?
        /// The Swift type of the values, or `nil` if it is not stated.
        public var type: String?

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - expression: The expression of the transformer that reads the stored bytes.
        ///   - type: The Swift type of the values.
        public init(expression: String? = nil, type: String? = nil) {
            self.expression = expression
            self.type = type
        }
    }

    /// The entries by the name of a value transformer.
    public var transformers: [String: Entry] = [:]
    /// The entries by the name of a class.
    public var classes: [String: Entry] = [:]
    /// The entries by entity and attribute, as in `Person.tags`.
    ///
    /// The entity is the one that declares the attribute.
    public var attributes: [String: Entry] = [:]

    /// Creates an empty map.
    public init() {}
}

extension CoreDataMap {
    private static let largest = 16 << 20

    /// Reads a map from JSON.
    ///
    /// - Parameter json: The bytes of the map.
    /// - Throws: ``CoreDataError`` with ``CoreDataError/Code/invalidMap`` if the bytes are not a map.
    public init(json: Data) throws(CoreDataError) {
        guard json.count <= Self.largest else {
            throw CoreDataError(.limitExceeded, "the map is larger than \(Self.largest) bytes")
        }
        for (name, text) in try Self.members(json) {
            switch name {
            case "transformers": transformers = try Self.entries(text, name)
            case "classes": classes = try Self.entries(text, name)
            case "attributes": attributes = try Self.entries(text, name)
            default: throw .invalidMap("“\(name)” is unknown; expected transformers, classes, or attributes")
            }
        }
    }

    private static func entries(_ text: String?, _ name: String) throws(CoreDataError) -> [String: Entry] {
        guard let text else { return [:] }
        guard text.hasPrefix("{") else { throw .invalidMap("“\(name)” is not an object") }
        var entries: [String: Entry] = [:]
        for (key, value) in try members(Data(text.utf8)) {
            guard let value else { throw .invalidMap("“\(key)” has no value") }
            guard entries[key] == nil else { throw .invalidMap("“\(key)” occurs twice") }
            // An expression cannot begin with a brace.
            entries[key] = value.hasPrefix("{") ? try entry(value, key) : Entry(expression: value)
        }
        return entries
    }

    private static func entry(_ text: String, _ name: String) throws(CoreDataError) -> Entry {
        var entry = Entry()
        for (key, value) in try members(Data(text.utf8)) {
            switch key {
            case "expression": entry.expression = value
            case "type": entry.type = value
            default: throw .invalidMap("“\(key)” of “\(name)” is unknown; expected expression or type")
            }
        }
        return entry
    }

    private static func members(_ json: Data) throws(CoreDataError) -> [(name: String, text: String?)] {
        let bytes = [UInt8](json)
        let end = (bytes.lastIndex { !JSONMembers.isSpace($0) } ?? -1) + 1
        var reader = JSONMembers(bytes[..<end])
        var members: [(name: String, text: String?)] = []
        do {
            while let member = try reader.next() { members.append(member) }
        } catch {
            throw .invalidMap(error.message)
        }
        return members
    }
}

extension CoreDataError {
    fileprivate static func invalidMap(_ message: String) -> Self {
        Self(.invalidMap, "the map is invalid: \(message)")
    }
}
