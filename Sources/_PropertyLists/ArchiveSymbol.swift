package import Transformable

/// The names that archives consist of: the keys of fields, and the known classes.
///
/// Strings of a property list are matched with the symbols once. From then on, comparing them means comparing a byte.
package enum ArchiveSymbol: String, CaseIterable, Sendable {
    case archiver = "$archiver"
    case version = "$version"
    case top = "$top"
    case objects = "$objects"
    case null = "$null"
    case isa = "$class"
    case className = "$classname"
    case classChain = "$classes"
    case classFallbacks = "$classhints"

    case keysField = "NS.keys"
    case objectsField = "NS.objects"
    case stringField = "NS.string"
    case bytesField = "NS.bytes"
    case dataField = "NS.data"
    case timeField = "NS.time"
    case uuidField = "NS.uuidbytes"
    case baseField = "NS.base"
    case relativeField = "NS.relative"
    case specialField = "NS.special"
    case pointField = "NS.pointval"
    case sizeField = "NS.sizeval"
    case rectField = "NS.rectval"
    case locationField = "NS.rangeval.location"
    case lengthField = "NS.rangeval.length"
    case topField = "NS.edgeval.top"
    case leftField = "NS.edgeval.left"
    case bottomField = "NS.edgeval.bottom"
    case rightField = "NS.edgeval.right"
    case transformAField = "NS.atval.a"
    case transformBField = "NS.atval.b"
    case transformCField = "NS.atval.c"
    case transformDField = "NS.atval.d"
    case transformXField = "NS.atval.tx"
    case transformYField = "NS.atval.ty"
    case exponentField = "NS.exponent"
    case mantissaLengthField = "NS.length"
    case negativeField = "NS.negative"
    case compactField = "NS.compact"
    case mantissaField = "NS.mantissa"
    case mantissaOrderField = "NS.mantissa.bo"

    case array = "NSArray"
    case mutableArray = "NSMutableArray"
    case dictionary = "NSDictionary"
    case mutableDictionary = "NSMutableDictionary"
    case set = "NSSet"
    case mutableSet = "NSMutableSet"
    case orderedSet = "NSOrderedSet"
    case mutableOrderedSet = "NSMutableOrderedSet"
    case countedSet = "NSCountedSet"
    case string = "NSString"
    case mutableString = "NSMutableString"
    case data = "NSData"
    case mutableData = "NSMutableData"
    case date = "NSDate"
    case uuid = "NSUUID"
    case url = "NSURL"
    case nothing = "NSNull"
    case decimalNumber = "NSDecimalNumber"
    case decimalPlaceholder = "NSDecimalNumberPlaceholder"
    case value = "NSValue"
    case number = "NSNumber"
    case indexSet = "NSIndexSet"
    case mutableIndexSet = "NSMutableIndexSet"
    case indexPath = "NSIndexPath"
    case affineTransform = "NSAffineTransform"
    case locale = "NSLocale"
    case timeZone = "NSTimeZone"
    case calendar = "NSCalendar"
    case dateComponents = "NSDateComponents"
    case attributedString = "NSAttributedString"
    case mutableAttributedString = "NSMutableAttributedString"
    case error = "NSError"
    case notification = "NSNotification"
    case nsColor = "NSColor"
    case uiColor = "UIColor"

    /// The fields of a transform inside `NSValue`, in the order of its numbers.
    package static let transformFields: [Self] = [
        .transformAField, .transformBField, .transformCField, .transformDField, .transformXField, .transformYField,
    ]

    // The names, grouped by their length and last byte, which few names have in common.
    private static let groups = allCases.reduce(into: [[(text: [UInt8], symbol: Self)]](repeating: [], count: 256)) {
        let text = Array($1.rawValue.utf8)
        $0[group(count: text.count, last: text[text.count - 1])].append((text, $1))
    }

    private static func group(count: Int, last: UInt8) -> Int {
        (count &* 37 &+ Int(last)) & 255
    }

    /// Finds the symbol of an ASCII string.
    ///
    /// The first byte rules out nearly all other strings.
    @inline(__always)
    static func find(_ bytes: [UInt8], from start: Int, count: Int) -> Self? {
        guard count > 0 else { return nil }
        let first = bytes[start]
        guard first == UInt8(ascii: "$") || first == UInt8(ascii: "N") || first == UInt8(ascii: "U") else { return nil }
        return findCandidate(bytes, from: start, count: count)
    }

    private static func findCandidate(_ bytes: [UInt8], from start: Int, count: Int) -> Self? {
        let candidates = groups[group(count: count, last: bytes[start + count - 1])]
        return candidates.first { $0.text.elementsEqual(bytes[start..<start + count]) }?.symbol
    }
}

/// The description of a class in a keyed archive.
package struct ArchiveClass: Sendable {
    /// The name of the class.
    package let name: String
    /// The names of the class and its superclasses, starting with the class itself.
    ///
    /// Some archives omit them.
    package let chain: [String]
    /// The names of classes to use if this one is not known, best first.
    package let fallbacks: [String]
    /// The class or the first of its fallbacks that is known.
    package let symbol: ArchiveSymbol?

    /// Reads a class object.
    ///
    /// - Parameters:
    ///   - table: The property list.
    ///   - index: The node of the class object.
    ///   - names: The names of other class objects, with which this one can share memory.
    /// - Throws: `TransformerError` with the code `invalid-data` if the object is malformed, or `limit-exceeded` if it
    ///   has too many names.
    package init(
        _ table: PropertyListTable,
        _ index: Int,
        sharing names: inout ArchiveClassNames
    ) throws(TransformerError) {
        let node = table.nodes[index]
        guard node.kind == .dictionary, let nameIndex = table.value(.className, in: node),
            let name = names.text(nameIndex, in: table)
        else {
            throw .invalidData("the class of an object has no name", offset: table.offset(of: index))
        }
        self.name = name
        chain = try names.list(.classChain, in: node, table, "superclasses", name)
        fallbacks = try names.list(.classFallbacks, in: node, table, "fallback classes", name)
        symbol = Self.symbol(of: name, fallbacks)
    }

    package static func symbol(of name: String, _ fallbacks: [String]) -> ArchiveSymbol? {
        ArchiveSymbol(rawValue: name) ?? fallbacks.lazy.compactMap(ArchiveSymbol.init).first
    }
}

/// The names that were read from class objects.
///
/// Many class objects can refer to the same name or list, which is read only once.
package struct ArchiveClassNames {
    /// The maximum number of names in a list.
    ///
    /// Classes of Apple's frameworks have fewer than ten.
    private static let listLimit = 100

    private var texts: [Int: String] = [:]
    private var lists: [Int: [String]] = [:]

    package init() {}

    /// Returns the text of a node, or nil if it is not a string.
    mutating func text(_ index: Int, in table: PropertyListTable) -> String? {
        if let known = texts[index] { return known }
        let text = table.text(table.nodes[index])
        texts[index] = text
        return text
    }

    /// Returns the list of names in a field, or an empty list if there is no such field.
    mutating func list(
        _ field: ArchiveSymbol,
        in node: PropertyListNode,
        _ table: PropertyListTable,
        _ kind: String,
        _ owner: String
    ) throws(TransformerError) -> [String] {
        guard let list = table.value(field, in: node) else { return [] }
        if let known = lists[list] { return known }
        let listNode = table.nodes[list]
        guard listNode.kind != .array || listNode.count <= Self.listLimit else {
            let message = "the list of \(kind) of “\(owner)” has more than \(Self.listLimit) names"
            throw .limitExceeded(message, offset: table.offset(of: list))
        }
        let names = listNode.kind == .array ? table.elements(of: listNode) : []
        let texts = names.compactMap { text(Int($0), in: table) }
        guard listNode.kind == .array, texts.count == names.count else {
            let message = "the \(kind) of “\(owner)” are not a list of names"
            throw .invalidData(message, offset: table.offset(of: list))
        }
        lists[list] = texts
        return texts
    }
}
