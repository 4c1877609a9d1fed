internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable
internal import _PropertyLists

extension FoundationClass {
    /// Arrays, dictionaries, and sets.
    ///
    /// Mutable collections remain mutable.
    static var collections: [Self] {
        [
            list(NSArray.self, "NSArray") { NSArray(array: try $0.members()) },
            list(NSMutableArray.self, "NSMutableArray", "NSArray") { NSMutableArray(array: try $0.members()) },
            list(NSSet.self, "NSSet") { NSSet(array: try $0.members(areHashed: true)) },
            list(NSMutableSet.self, "NSMutableSet", "NSSet") { NSMutableSet(array: try $0.members(areHashed: true)) },
            Self(
                NSCountedSet.self,
                "NSCountedSet",
                "NSMutableSet",
                "NSSet",
                encode: { try $1.put($0) },
                decode: { try $0.countedSet() }
            ),
            Self(
                NSOrderedSet.self,
                "NSOrderedSet",
                encode: { try $1.put($0) },
                decode: { NSOrderedSet(array: try $0.members(areHashed: true)) }
            ),
            Self(
                NSMutableOrderedSet.self,
                "NSMutableOrderedSet",
                "NSOrderedSet",
                encode: { try $1.put($0) },
                decode: { NSMutableOrderedSet(array: try $0.members(areHashed: true)) }
            ),
            Self(
                NSDictionary.self,
                "NSDictionary",
                encode: { try $1.put($0) },
                decode: { unarchiver in
                    let (keys, values) = try unarchiver.pairs()
                    return NSDictionary(objects: values, forKeys: keys)
                }
            ),
            Self(
                NSMutableDictionary.self,
                "NSMutableDictionary",
                "NSDictionary",
                encode: { try $1.put($0) },
                decode: { unarchiver in
                    let (keys, values) = try unarchiver.pairs()
                    return NSMutableDictionary(objects: values, forKeys: keys)
                }
            ),
        ]
    }

    /// Describes an array or a set.
    private static func list(
        _ type: NSObject.Type,
        _ chain: String...,
        decode: @escaping @Sendable (ObjectUnarchiver) throws -> NSObject
    ) -> Self {
        Self(
            type: type,
            archivedClass: ArchivedClass(chain[0], chain: chain + ["NSObject"]),
            encode: { list, archiver in
                let elements = (list as? NSSet)?.repeatable ?? list.rawElements
                try archiver.put(elements, listIn: .key("NS.objects"))
            },
            decode: decode
        )
    }
}

extension NSObject {
    /// The objects in a collection.
    ///
    /// Foundation's iteration would return Swift values, which preserve neither the identity nor the mutability of
    /// nested arrays.
    fileprivate var rawElements: [Any] { Mirror(reflecting: self).children.map(\.value) }

    /// Sorts the elements of an unordered collection by keys that are strings or numbers, so that the order is always
    /// the same.
    fileprivate static func inOrder<Element>(_ elements: [Element], by key: (Element) -> Any) -> [Element] {
        let keys = elements.map(key)
        if let texts = keys as? [String] {
            return zip(texts, elements).sorted { $0.0.precedes($1.0) }.map(\.1)
        }
        if let numbers = keys as? [NSNumber] {
            return zip(numbers, elements).sorted { $0.0.compare($1.0) == .orderedAscending }.map(\.1)
        }
        return elements
    }
}

extension NSSet {
    fileprivate var repeatable: [Any] { NSObject.inOrder(rawElements) { $0 } }
}

extension ObjectArchiver {
    fileprivate func put(_ dictionary: NSDictionary) throws {
        let pairs = dictionary.rawElements.compactMap { $0 as? (key: NSObject, value: AnyObject) }
        let sorted = NSObject.inOrder(pairs) { $0.key }
        try put(sorted.map(\.key), listIn: .key("NS.keys"))
        try put(sorted.map(\.value), listIn: .key("NS.objects"), names: sorted.map { "\($0.key)" })
    }

    fileprivate func put(_ set: NSOrderedSet) throws {
        for (position, member) in set.rawElements.enumerated() {
            try put(member, in: .key("NS.object.\(position)"))
        }
    }

    fileprivate func put(_ set: NSCountedSet) throws {
        let members = set.repeatable
        try put(members.count, in: .key("NS.count"))
        for (position, member) in members.enumerated() {
            try put(member, in: .key("NS.object\(position)"))
            try put(set.count(for: member), in: .key("NS.count\(position)"))
        }
    }
}

extension ObjectUnarchiver {
    /// The maximum number of comparisons, in terms of compared values, that a hashed collection can require.
    private static let comparisons = 4_000_000

    /// Decodes the members of an array or a set.
    fileprivate func members(areHashed: Bool = false) throws -> [NSObject] {
        let frame = try frame()
        let members = try objects(at: storage.members(of: frame.node), frame.allowed, frame.path)
        return try weighed(members, hashed: areHashed ? members : [])
    }

    fileprivate func pairs() throws -> (keys: [NSObject], values: [NSObject]) {
        let frame = try frame()
        let pairs = try storage.pairs(of: frame.node)
        let keys = try objects(at: pairs.keys, frame.allowed, frame.path)
        try charge(pairs.values.count)
        var values: [NSObject] = []
        for (key, index) in zip(keys, pairs.values) {
            let name = (key as? NSString).map { String($0) } ?? "\(Swift.type(of: key))"
            let path = CodingPath.named(name, parent: frame.path)
            values.append(try object(at: Int(index), allowed: frame.allowed, path: path) ?? NSNull())
        }
        _ = try weighed(keys + values, hashed: keys)
        guard Set(keys).count == keys.count else {
            throw TransformerError.unreadable(frame.path, "it contains a key twice")
        }
        return (keys, values)
    }

    fileprivate func countedSet() throws -> NSCountedSet {
        let count: Int = try integer(.key("NS.count")) ?? 0
        guard 0...Int(storage.table.nodes[try frame().node].count) ~= count else { throw broken(NSCountedSet.self) }
        var members: [(object: NSObject, count: Int)] = []
        for position in 0..<count {
            guard let member = try object(.key("NS.object\(position)")) else { throw broken(NSCountedSet.self) }
            members.append((member, try integer(.key("NS.count\(position)")) ?? 1))
        }
        let objects = try weighed(members.map(\.object), hashed: members.map(\.object))
        // Foundation counts by adding one at a time.
        let total = members.reduce(0) { $0 &+ min(max(1, $1.count), storage.limits.objects) }
        guard total <= budget else { throw TransformerError.tooMuchSharing(budget) }
        let set = NSCountedSet(array: objects)
        for member in members where member.count > 1 {
            for _ in 1..<member.count { set.add(member.object) }
        }
        return set
    }

    /// Verifies that comparing the members of a collection is not too expensive, and counts the values in them.
    ///
    /// With shared members, a few bytes can represent an exponential number of values, and Foundation's hash functions
    /// are predictable. Both could keep a comparison busy forever.
    private func weighed(_ members: [NSObject], hashed: [NSObject]) throws -> [NSObject] {
        var size = 1
        for member in members {
            size += sizes[ObjectIdentifier(member)] ?? 1
            guard size <= budget else { throw TransformerError.tooMuchSharing(budget) }
        }
        frames[frames.count - 1].size = size
        var buckets: [Int: (count: Int, size: Int)] = [:]
        for member in hashed {
            let bucket = buckets[member.hash] ?? (0, 0)
            buckets[member.hash] = (bucket.count + 1, bucket.size + (sizes[ObjectIdentifier(member)] ?? 1))
        }
        guard buckets.values.reduce(0, { $0 + ($1.count - 1) * $1.size }) <= Self.comparisons else {
            throw TransformerError.limitExceeded("the members of a collection are too expensive to compare")
        }
        return members
    }
}
