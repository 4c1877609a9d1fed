package import Transformable

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
    package init(_ table: PropertyListTable, _ index: Int) throws(TransformerError) {
        let node = table.nodes[index]
        guard node.kind == .dictionary, let nameIndex = table.value(.className, in: node),
            let name = table.text(table.nodes[nameIndex])
        else {
            throw .invalidData("the class of an object has no name", offset: table.offset(of: index))
        }
        self.name = name
        chain = try Self.names(.classChain, in: node, table, "above", name)
        fallbacks = try Self.names(.classFallbacks, in: node, table, "in place of", name)
        symbol = Self.symbol(of: name, fallbacks)
    }

    /// Returns the list of names in a field, or an empty list if there is no such field.
    private static func names(
        _ field: ArchiveSymbol,
        in node: PropertyListNode,
        _ table: PropertyListTable,
        _ relation: String,
        _ owner: String
    ) throws(TransformerError) -> [String] {
        guard let list = table.value(field, in: node) else { return [] }
        let names = table.nodes[list].kind == .array ? table.elements(of: table.nodes[list]) : []
        let texts = names.compactMap { table.text(table.nodes[Int($0)]) }
        guard table.nodes[list].kind == .array, texts.count == names.count else {
            let message = "the classes \(relation) “\(owner)” are not a list of names"
            throw .invalidData(message, offset: table.offset(of: list))
        }
        return texts
    }

    package static func symbol(of name: String, _ fallbacks: [String]) -> ArchiveSymbol? {
        ArchiveSymbol(rawValue: name) ?? fallbacks.lazy.compactMap(ArchiveSymbol.init).first
    }
}
