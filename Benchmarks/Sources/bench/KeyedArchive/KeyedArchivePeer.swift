import Foundation
import KeyedArchivePlugin

/// Foundation's archives of an array of dictionaries.
enum KeyedArchivePeer {
    static var values: [[String: String]] { values(1_000) }

    static func values(_ count: Int) -> [[String: String]] {
        (0..<count).map { ["name": "setting \($0)", "value": "\($0 * $0)"] }
    }

    static func write(_ values: [[String: String]]) throws -> Data {
        let objects = values.map { NSDictionary(dictionary: $0) }
        return try NSKeyedArchiver.archivedData(withRootObject: NSArray(array: objects), requiringSecureCoding: true)
    }

    static func read(_ archive: Data) throws -> [[String: String]] {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
        let classes: [AnyClass] = [NSArray.self, NSDictionary.self, NSString.self]
        guard let array = unarchiver.decodeObject(of: classes, forKey: NSKeyedArchiveRootObjectKey) as? NSArray else {
            throw Disagreement(description: "NSKeyedUnarchiver reads no array")
        }
        return array.compactMap { $0 as? [String: String] }
    }
}

extension ArchivedValue {
    init(_ values: [String: String]) throws {
        self = ["name": .string(values["name"] ?? ""), "value": .string(values["value"] ?? "")]
    }
}
