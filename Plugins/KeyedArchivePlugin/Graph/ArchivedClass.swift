internal import Transformable
internal import _PropertyLists

/// A class as an archive names it: data, never code.
public struct ArchivedClass: Sendable, Hashable {
    /// The class's name.
    public let name: String
    /// The class and those above it, from the class itself to the root; some archives leave it out.
    public let chain: [String]

    /// The class where it is one that is known here.
    let symbol: ArchiveSymbol?

    /// Makes a class of its name and those above it.
    ///
    /// - Parameters:
    ///   - name: The class's name.
    ///   - chain: The class and those above it; by default the class and `NSObject`.
    public init(_ name: String, chain: [String]? = nil) {
        self.name = name
        self.chain = chain ?? [name, "NSObject"]
        symbol = ArchiveSymbol(rawValue: name)
    }

    /// Reads a class object.
    init(_ table: PropertyListTable, _ index: Int) throws(TransformerError) {
        let node = table.nodes[index]
        guard node.kind == .dictionary, let nameIndex = table.value(.className, in: node),
            let name = table.text(table.nodes[nameIndex])
        else {
            throw .invalidData("the class of an object has no name", offset: table.offset(of: index))
        }
        self.name = name
        symbol = table.nodes[nameIndex].symbol
        guard let chain = table.value(.classChain, in: node) else {
            self.chain = []
            return
        }
        let names = table.nodes[chain].kind == .array ? table.elements(of: table.nodes[chain]) : []
        let texts = names.compactMap { table.text(table.nodes[Int($0)]) }
        guard table.nodes[chain].kind == .array, texts.count == names.count else {
            throw .invalidData("the classes above “\(name)” are no list of names", offset: table.offset(of: chain))
        }
        self.chain = texts
    }

    /// Whether two classes have the same names, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
            && left.chain.elementsEqual(right.chain) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
