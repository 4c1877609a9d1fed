public import Foundation
internal import Transformable
internal import _PropertyLists

/// An object in an ``Archive``, or a value that is stored in a field of an object.
///
/// ## Topics
/// ### Identifying an Object
/// - ``kind``
/// - ``number``
/// - ``archivedClass``
/// ### Accessing the Contents
/// - ``string``
/// - ``integer``
/// - ``real``
/// - ``boolean``
/// - ``data``
/// - ``date``
/// - ``fields``
/// - ``elements``
public struct ArchivedObject: Sendable {
    /// The kind of an object, or of a value in a field.
    public enum Kind: String, Sendable {
        /// The null object at the beginning of the archive, which represents nil.
        case null
        /// `true` or `false`.
        case boolean
        /// An integer of up to 128 bits.
        case integer
        /// A floating-point number.
        case real
        /// Text.
        case string
        /// Data.
        case data
        /// A plain date. Archivers write objects of class `NSDate` instead.
        case date
        /// An object with a class and fields.
        case instance
        /// The description of a class.
        case classDescription = "class"
        /// A list in a field, usually of references.
        case list
        /// A dictionary in a field, without a class.
        case dictionary
    }

    /// A field of an instance.
    public struct Field: Sendable {
        /// The name of the field, such as `NS.objects`.
        public let name: String
        /// The value.
        ///
        /// If its ``ArchivedObject/number`` is not nil, it is an object.
        public let value: ArchivedObject
    }

    /// The number of the object in its archive, or nil for a value that is stored in a field.
    public let number: Int?
    private let storage: ArchiveStorage
    let index: Int

    /// Creates the object that a reference refers to, or the value itself.
    init(_ storage: ArchiveStorage, valueAt index: Int) {
        let node = storage.table.nodes[index]
        self.storage = storage
        number = node.kind == .uid ? node.start : nil
        self.index = number.map(storage.node) ?? index
    }

    init(_ storage: ArchiveStorage, number: Int) {
        self.storage = storage
        self.number = number
        index = storage.node(ofObject: number)
    }

    private var table: PropertyListTable { storage.table }
    private var node: PropertyListNode { storage.table.nodes[index] }

    /// The kind of the object or value.
    public var kind: Kind {
        switch node.kind {
        case .null, .uid: .null
        case .boolean: .boolean
        case .integer, .wideInteger: .integer
        case .real: .real
        case .date: .date
        case .data: .data
        case .asciiString, .utf8String, .utf16String: number.map(storage.isNull) == true ? .null : .string
        case .array, .orderedSet, .set: .list
        case .dictionary: dictionaryKind
        }
    }

    private var dictionaryKind: Kind {
        if archivedClass != nil { return .instance }
        return number != nil ? .classDescription : .dictionary
    }

    /// The class of an instance.
    public var archivedClass: ArchivedClass? { storage.archivedClass(at: index) }

    /// The class that a class description describes.
    public var describedClass: ArchivedClass? {
        guard kind == .classDescription else { return nil }
        var names = ArchiveClassNames()
        return (try? ArchiveClass(table, index, sharing: &names)).map(ArchivedClass.init)
    }

    /// The name of the class that a class description describes, which takes less time to read than the whole class.
    var describedName: String? {
        guard kind == .classDescription, let name = table.value(.className, in: node), table.nodes[name].isString
        else { return nil }
        return storage.repairedText(name)
    }

    /// The text of a string.
    ///
    /// An unpaired surrogate is replaced with U+FFFD.
    public var string: String? { kind == .string ? storage.repairedText(index) : nil }

    /// The value of an integer.
    public var integer: Int128? { table.integer(node) }

    /// The value of a real number, or nil for an integer.
    public var real: Double? { node.kind == .real ? node.double : nil }

    /// The value of a Boolean.
    public var boolean: Bool? { node.kind == .boolean ? node.payload == 1 : nil }

    /// The bytes of data.
    public var data: Data? { node.kind == .data ? storage.bytes(index) : nil }

    /// The value of a plain date.
    public var date: Date? { node.kind == .date ? Date(timeIntervalSinceReferenceDate: node.double) : nil }

    /// The fields of an instance, or of a dictionary without a class, in the order of the archive.
    public var fields: [Field] {
        guard node.kind == .dictionary else { return [] }
        return zip(table.keys(of: node), table.values(of: node))
            .compactMap { key, value in
                guard table.nodes[Int(key)].symbol != .isa else { return nil }
                return Field(name: storage.repairedText(Int(key)), value: Self(storage, valueAt: Int(value)))
            }
    }

    /// The elements of a list in a field.
    public var elements: [Self] {
        guard kind == .list else { return [] }
        return table.elements(of: node).map { Self(storage, valueAt: Int($0)) }
    }

    /// The length of the text that is printed on the object's line.
    var printedLength: Int {
        switch kind {
        case .string, .data: node.printedLength
        case .instance: archivedClass?.name.utf8.count ?? 0
        case .classDescription: describedName?.utf8.count ?? 0
        case .null, .boolean, .integer, .real, .date, .list, .dictionary: 0
        }
    }

    /// The length of the object's whole text, without its fields and elements.
    var textLength: Int {
        switch kind {
        case .string, .data: Int(node.count)
        case .instance: archivedClass?.textLength ?? 0
        case .classDescription: describedClass?.textLength ?? 0
        case .null, .boolean, .integer, .real, .date, .list, .dictionary: 0
        }
    }

    /// Returns the value of a field.
    ///
    /// - Parameter name: The name of the field, such as `NS.objects`.
    /// - Returns: The value, or nil if there is no such field.
    public subscript(name: String) -> Self? {
        guard node.kind == .dictionary else { return nil }
        return table.value(named: name, in: node).map { Self(storage, valueAt: $0) }
    }

    /// Returns an element of a list.
    ///
    /// - Parameter position: The index of the element.
    /// - Returns: The element, or nil if there is none.
    public subscript(position: Int) -> Self? {
        guard kind == .list, 0..<Int(node.count) ~= position else { return nil }
        return Self(storage, valueAt: Int(table.references[node.start + position]))
    }
}

/// The description of a class in an archive.
public struct ArchivedClass: Sendable, Hashable {
    /// The name of the class.
    public let name: String
    /// The names of the class and its superclasses, starting with the class itself.
    ///
    /// Some archives omit them.
    public let chain: [String]
    /// The names of classes to use if this one is not known, best first.
    ///
    /// Most classes have none.
    public let fallbacks: [String]

    /// The class or the first of its fallbacks that is known.
    let symbol: ArchiveSymbol?

    /// Creates the description of a class.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - chain: The names of the class and its superclasses. By default, the class and `NSObject`.
    ///   - fallbacks: The names of classes to use if this one is not known.
    public init(_ name: String, chain: [String]? = nil, fallbacks: [String] = []) {
        self.name = name
        self.chain = chain ?? [name, "NSObject"]
        self.fallbacks = fallbacks
        symbol = ArchiveClass.symbol(of: name, fallbacks)
    }

    init(_ description: ArchiveClass) {
        name = description.name
        chain = description.chain
        fallbacks = description.fallbacks
        symbol = description.symbol
    }

    var textLength: Int { (chain + fallbacks).reduce(name.utf8.count) { $0 + $1.utf8.count } }

    /// Returns whether two classes have the same names, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
            && left.chain.elementsEqual(right.chain) { $0.utf8.elementsEqual($1.utf8) }
            && left.fallbacks.elementsEqual(right.fallbacks) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
