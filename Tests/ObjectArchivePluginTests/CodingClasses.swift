import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin

/// A class that encodes one value of every kind, as classes on a Mac do.
final class Everything: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    var name: String?
    var flag = false
    var number = 0
    var small: Int32 = 0
    var large: Int64 = 0
    var ratio = 0.0
    var single: Float = 0
    var bytes = Data()
    var list: [String] = []
    var table: [String: NSNumber] = [:]
    var point = CGPoint.zero
    var size = CGSize.zero
    var rect = CGRect.zero
    var date: Date?
    var url: URL?
    var missing: NSDate?

    static func sample() -> Everything {
        let object = Everything()
        object.name = "naïve"
        object.flag = true
        object.number = -5
        object.small = .min
        object.large = .max
        object.ratio = 0.1
        object.single = 1.5
        object.bytes = Data([0, 255])
        object.list = ["a", "b"]
        object.table = ["one": 1, "half": 0.5, "yes": NSNumber(value: true)]
        object.point = CGPoint(x: 1, y: -2.5)
        object.size = CGSize(width: 3, height: 4)
        object.rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        object.date = Date(timeIntervalSinceReferenceDate: 0.5)
        object.url = URL(string: "https://example.com/a?b#c")
        return object
    }

    override init() { super.init() }

    init?(coder: NSCoder) {
        name = coder.decodeObject(of: NSString.self, forKey: "name").map { String($0) }
        flag = coder.decodeBool(forKey: "flag")
        number = coder.decodeInteger(forKey: "number")
        small = coder.decodeInt32(forKey: "small")
        large = coder.decodeInt64(forKey: "large")
        ratio = coder.decodeDouble(forKey: "ratio")
        single = coder.decodeFloat(forKey: "single")
        bytes = coder.withDecodedUnsafeBytes(forKey: "bytes") { Data($0.map { Array($0) } ?? []) }
        list = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "list") as? [String] ?? []
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
        table = coder.decodeObject(of: classes, forKey: "table") as? [String: NSNumber] ?? [:]
        point = coder.decodePoint(forKey: "point")
        size = coder.decodeSize(forKey: "size")
        rect = coder.decodeRect(forKey: "rect")
        date = coder.decodeObject(of: NSDate.self, forKey: "date").map { $0 as Date }
        url = coder.decodeObject(of: NSURL.self, forKey: "url").map { $0 as URL }
        missing = coder.decodeObject(of: NSDate.self, forKey: "missing")
        super.init()
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(flag, forKey: "flag")
        coder.encode(number, forKey: "number")
        coder.encode(small, forKey: "small")
        coder.encode(large, forKey: "large")
        coder.encode(ratio, forKey: "ratio")
        coder.encode(single, forKey: "single")
        Array(bytes)
            .withUnsafeBufferPointer {
                coder.encodeBytes($0.baseAddress, length: $0.count, forKey: "bytes")
            }
        coder.encode(list, forKey: "list")
        coder.encode(table, forKey: "table")
        coder.encode(point, forKey: "point")
        coder.encode(size, forKey: "size")
        coder.encode(rect, forKey: "rect")
        coder.encode(date, forKey: "date")
        coder.encode(url, forKey: "url")
        coder.encode(missing, forKey: "missing")
    }

    override func isEqual(_ other: Any?) -> Bool {
        guard let other = other as? Everything else { return false }
        return name == other.name && flag == other.flag && number == other.number && small == other.small
            && large == other.large && ratio == other.ratio && single == other.single && bytes == other.bytes
            && list == other.list && table == other.table && point == other.point && size == other.size
            && rect == other.rect && date == other.date && url == other.url && missing == other.missing
    }
}

/// A tree whose nodes know their parent: conditionally, and by the way back.
class Node: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }

    let title: String
    var children: [Node] = []
    weak var parent: Node?
    var friend: Node?

    init(_ title: String, _ children: [Node] = []) {
        self.title = title
        self.children = children
        super.init()
        for child in children { child.parent = self }
    }

    required init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
        self.title = String(title)
        super.init()
        children = coder.decodeArrayOfObjects(ofClass: Node.self, forKey: "children") ?? []
        coder.decodeReference(of: Node.self, forKey: "parent") { [weak self] in self?.parent = $0 }
        coder.decodeReference(of: Node.self, forKey: "friend") { [weak self] in self?.friend = $0 }
    }

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encode(children, forKey: "children")
        coder.encodeConditionalObject(parent, forKey: "parent")
        coder.encode(friend, forKey: "friend")
    }
}

final class Leaf: Node {
    override class var supportsSecureCoding: Bool { true }
}

/// Holds one object of any class, read as the calling test says.
final class Box: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let content: NSObject?

    init(_ content: NSObject?) { self.content = content }

    required init?(coder: NSCoder) { content = coder.decodeObject(forKey: "content") as? NSObject }

    func encode(with coder: NSCoder) { coder.encode(content, forKey: "content") }
}
