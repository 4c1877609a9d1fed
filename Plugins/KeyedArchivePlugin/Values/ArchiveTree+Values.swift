package import Foundation
package import Transformable
internal import _PropertyLists

/// Adds values to a tree.
///
/// Nested containers are processed with its own stack instead of recursion.
struct ArchivedValueWriter {
    /// A value that waits to be added.
    ///
    /// It is small, because an array can contain a million values.
    private struct Waiting {
        let value: ArchivedValue
        let index: UInt32
        let depth: UInt32
    }

    private var tree = ArchiveTree()
    private let limits: KeyedArchiveLimits
    private var waiting: [Waiting] = []

    static func write(
        _ value: ArchivedValue,
        key: String,
        format: KeyedArchiveFormat,
        limits: KeyedArchiveLimits
    ) throws(TransformerError) -> Data {
        var writer = Self(limits: limits)
        let root = writer.tree.add()
        try writer.put(value, at: root, depth: 0)
        while let next = writer.waiting.popLast() {
            try writer.put(next.value, at: Int(next.index), depth: Int(next.depth))
        }
        let tree = writer.tree
        // The table is created only from the tree, and takes memory of its own.
        _ = consume writer
        return try ArchiveWriter.write(tree, root: root, key: key, format: format, depth: limits.depth)
    }

    private init(limits: KeyedArchiveLimits) {
        self.limits = limits
    }

    private mutating func put(_ value: ArchivedValue, at index: Int, depth: Int) throws(TransformerError) {
        guard depth <= limits.depth else { throw .tooDeep(limits.depth) }
        switch value {
        case .null: tree.set(index, .null)
        case .boolean(let flag): tree.set(index, .boolean, payload: flag ? 1 : 0)
        case .integer(let number): tree.set(index, to: number)
        case .real(let number): tree.set(index, .real, payload: number.bitPattern)
        case .string(let text): tree.set(index, to: text)
        case .data(let data): tree.set(index, to: data, as: .data)
        case .date(let date): tree.set(index, .date, payload: date.timeIntervalSinceReferenceDate.bitPattern)
        case .uuid(let uuid): tree.set(index, to: uuid.archivedBytes, as: .uuid)
        case .url(let url): try tree.set(index, to: url)
        case .decimal(let decimal): try tree.set(index, to: decimal)
        case .array(let values): try put(values, as: .array, at: index, depth: depth)
        case .set(let values): try put(values, as: .set, at: index, depth: depth)
        case .orderedSet(let values): try put(values, as: .orderedSet, at: index, depth: depth)
        case .dictionary(let pairs): try put(pairs, at: index, depth: depth)
        case .object(let instance): try put(instance, at: index, depth: depth)
        case .point, .size, .rect, .range, .edgeInsets, .transform: putGeometry(value, at: index)
        case .countedSet, .offset, .directionalEdgeInsets, .affineTransform, .indexSet, .indexPath, .locale,
            .timeZone, .calendar, .dateComponents, .attributedString, .error, .notification, .color:
            guard let instance = try value.compound?.instance() else { return }
            try put(instance, at: index, depth: depth)
        }
    }

    /// Adds a value to a container: immediately, unless it contains other values.
    private mutating func putChild(_ value: ArchivedValue, at index: Int, depth: Int) throws(TransformerError) {
        if value.hasContent {
            waiting.append(Waiting(value: value, index: UInt32(index), depth: UInt32(depth + 1)))
        } else {
            try put(value, at: index, depth: depth + 1)
        }
    }

    private mutating func put(
        _ values: some Sequence<ArchivedValue>,
        as kind: ArchiveTree.Kind,
        at index: Int,
        depth: Int
    ) throws(TransformerError) {
        tree.set(index, kind)
        for value in values {
            try putChild(value, at: tree.add(to: index), depth: depth)
        }
    }

    private mutating func put(_ pairs: ArchivedDictionary, at index: Int, depth: Int) throws(TransformerError) {
        tree.set(index, .dictionary)
        let areTexts = pairs.allSatisfy { $0.key.string != nil }
        for pair in pairs {
            if areTexts, case .string(let key) = pair.key {
                try putChild(pair.value, at: tree.add(to: index, key: key), depth: depth)
            } else {
                let key = tree.add()
                try putChild(pair.key, at: key, depth: depth)
                try putChild(pair.value, at: tree.add(to: index, keyNode: key), depth: depth)
            }
        }
    }

    private mutating func put(_ instance: ArchivedInstance, at index: Int, depth: Int) throws(TransformerError) {
        tree.set(index, to: instance.archivedClass)
        for field in instance.fields {
            let child = tree.add(to: index, key: field.name)
            switch field.value {
            case .object(nil): tree.set(child, .none)
            case .object(let value?): try putChild(value, at: child, depth: depth)
            case .objects(let values):
                tree.set(child, .list)
                for value in values {
                    let member = tree.add(to: child)
                    tree.set(member, .none)
                    if let value { try putChild(value, at: member, depth: depth) }
                }
            case .inline(let value):
                guard value.canBeInline else {
                    let message = "the field “\(field.name)” contains a value inline that must be an object"
                    throw .invalidValue(message)
                }
                try put(value, at: child, depth: depth + 1)
                tree.makeInline(child)
            }
        }
    }

    private mutating func putGeometry(_ value: ArchivedValue, at index: Int) {
        tree.set(index, to: ArchivedClass.known(.value))
        switch value {
        case .point(let point):
            putSpecial(1, at: index, (.pointField, GeometryString.pair(Double(point.x), Double(point.y))))
        case .size(let size):
            putSpecial(2, at: index, (.sizeField, GeometryString.pair(Double(size.width), Double(size.height))))
        case .rect(let rect):
            let origin = GeometryString.pair(Double(rect.origin.x), Double(rect.origin.y))
            let size = GeometryString.pair(Double(rect.size.width), Double(rect.size.height))
            putSpecial(3, at: index, (.rectField, "{\(origin), \(size)}"))
        case .range(let range):
            for (field, number) in [(ArchiveSymbol.lengthField, range.length), (.locationField, range.location)] {
                tree.set(tree.add(to: index, key: field.rawValue), to: Int128(number))
            }
            putSpecial(4, at: index, nil)
        case .edgeInsets(let insets):
            let fields: [(ArchiveSymbol, Double)] = [
                (.bottomField, insets.bottom), (.leftField, insets.left), (.rightField, insets.right),
                (.topField, insets.top),
            ]
            for (field, number) in fields {
                tree.addInline(to: index, field, .real, payload: number.bitPattern)
            }
            putSpecial(insets.isUIKit ? 11 : 12, at: index, nil)
        case .transform(let transform):
            for (field, number) in zip(ArchiveSymbol.transformFields, transform.numbers) {
                tree.addInline(to: index, field, .real, payload: number.bitPattern)
            }
            putSpecial(10, at: index, nil)
        default: break
        }
    }

    private mutating func putSpecial(_ kind: UInt64, at index: Int, _ text: (field: ArchiveSymbol, value: String)?) {
        if let text {
            tree.set(tree.add(to: index, key: text.field.rawValue), to: text.value)
        }
        tree.addInline(to: index, .specialField, .integer, payload: kind)
    }
}

extension ArchivedValue {
    /// Whether adding the value would add other values.
    fileprivate var hasContent: Bool {
        switch self {
        case .null, .boolean, .integer, .real, .string, .data, .date, .uuid, .decimal, .url, .point, .size, .rect,
            .range,
            .edgeInsets, .transform:
            false
        default: true
        }
    }

    /// Whether the value can be stored in a field itself.
    fileprivate var canBeInline: Bool {
        switch self {
        case .boolean, .integer, .real, .date, .string, .data: true
        default: false
        }
    }
}

extension ArchiveTree {
    mutating func addInline(to index: Int, _ field: ArchiveSymbol, _ kind: Kind, payload: UInt64) {
        let child = add(to: index, key: field.rawValue)
        set(child, kind, payload: payload)
        makeInline(child)
    }

    /// Adds a URL, with the URLs that it is relative to.
    mutating func set(_ index: Int, to url: ArchivedURL) throws(TransformerError) {
        try url.checkBases()
        var index = index
        for (depth, text) in ([url.relativeString] + url.bases).enumerated() {
            set(index, to: ArchivedClass.known(.url))
            let base = add(to: index, key: ArchiveSymbol.baseField.rawValue)
            set(base, .none)
            let relative = add(to: index, key: ArchiveSymbol.relativeField.rawValue)
            set(relative, to: text)
            if depth < url.bases.count { index = base }
        }
    }

    /// Adds a decimal in the format of `NSDecimalNumber`.
    package mutating func set(_ index: Int, to decimal: Decimal) throws(TransformerError) {
        guard let (exponent, words) = decimal.archivedParts else {
            throw .invalidValue("the exponent of a decimal must be from -128 to 127")
        }
        set(index, to: ArchivedClass.known(.decimalNumber))
        let length = words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        addInline(to: index, .compactField, .boolean, payload: 1)
        addInline(to: index, .exponentField, .integer, payload: UInt64(bitPattern: Int64(exponent)))
        addInline(to: index, .mantissaLengthField, .integer, payload: UInt64(length))
        let mantissa = add(to: index, key: ArchiveSymbol.mantissaField.rawValue)
        set(mantissa, to: words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, as: .data)
        makeInline(mantissa)
        // 1 indicates that the least significant byte comes first.
        addInline(to: index, .mantissaOrderField, .integer, payload: 1)
        let isNegative = decimal.isNaN || decimal.sign == .minus
        addInline(to: index, .negativeField, .boolean, payload: isNegative ? 1 : 0)
    }
}
