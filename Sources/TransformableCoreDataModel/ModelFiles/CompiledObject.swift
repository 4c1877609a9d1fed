internal import Foundation
internal import _PropertyLists

/// An object in the archive of a compiled model, or a value in a field.
struct CompiledObject {
    /// The number of elements that are read of a list, which is more than a reader accepts.
    private static let listLimit = 250_000

    private let graph: ArchiveGraph
    /// The node, which is not that of a reference.
    let index: Int

    /// Creates the object that a reference refers to, or the value itself, or `nil` for the null object.
    init?(_ graph: ArchiveGraph, _ index: some BinaryInteger) {
        guard let index = graph.resolve(Int(index)) else { return nil }
        self.graph = graph
        self.index = index
    }

    private var node: PropertyListNode { graph.table.nodes[index] }

    var className: String? { graph.archiveClass(at: index)?.name }

    subscript(name: String) -> Self? {
        guard node.kind == .dictionary, let value = graph.table.value(named: name, in: node) else { return nil }
        return Self(graph, value)
    }

    /// Returns the first value of a field that is an object of the given class.
    func field(ofClass name: String) -> Self? {
        guard node.kind == .dictionary else { return nil }
        return graph.table.values(of: node).lazy.compactMap { Self(graph, $0) }.first { $0.className == name }
    }

    /// The text of a string, which can be an object of class `NSString`.
    var string: String? { plainString ?? self["NS.string"]?.plainString }

    // An object of class `NSString` can refer to itself, so only its own string is read.
    private var plainString: String? { node.isString ? graph.text(of: index) : nil }

    /// The length of a string, which is known without reading it.
    var textLength: Int {
        if node.isString { return Int(node.count) }
        return self["NS.string"].map { $0.node.isString ? Int($0.node.count) : 0 } ?? 0
    }

    var integer: Int? { graph.table.integer(node).flatMap { Int(exactly: $0) } }

    var boolean: Bool { node.kind == .boolean ? node.payload == 1 : (integer ?? 0) != 0 }

    var isBoolean: Bool { node.kind == .boolean }

    var double: Double? { graph.table.double(node) }

    var data: Data? { plainData ?? self["NS.data"]?.plainData }

    private var plainData: Data? { node.kind == .data ? graph.table.data(node) : nil }

    /// The seconds since 2001 of a date.
    var date: Double? { node.kind == .date ? node.double : self["NS.time"]?.double }

    /// The members of an array or a set, without null.
    var members: [Self] { list("NS.objects") }

    /// The keys and values of a dictionary, which can be of a class that keeps its keys apart.
    var pairs: [(key: String, value: Self)] {
        zip(keySlots, valueSlots)
            .compactMap { key, value in
                guard let key = key?.string, let value else { return nil }
                return (key, value)
            }
    }

    /// The cost of reading the pairs: one for each, and more for long keys, since many keys can be the same string.
    var pairCost: Int {
        zip(keySlots, valueSlots).reduce(0) { $0 + 1 + ($1.0?.textLength ?? 0) / 64 }
    }

    private var keySlots: [Self?] { self["searchMapping"].map { $0["keys"]?.slots ?? [] } ?? slots("NS.keys") }

    private var valueSlots: [Self?] {
        self["searchMapping"] == nil ? slots("NS.objects") : self["values"]?.slots ?? []
    }

    /// The elements of an array, in which `nil` stands for null.
    private var slots: [Self?] { slots("NS.objects") }

    private func list(_ name: String) -> [Self] { slots(name).compactMap(\.self) }

    private func slots(_ name: String) -> [Self?] {
        guard node.kind == .dictionary, let list = graph.table.value(named: name, in: node),
            graph.table.nodes[list].kind == .array
        else { return [] }
        return graph.table.elements(of: graph.table.nodes[list]).prefix(Self.listLimit).map { Self(graph, $0) }
    }
}
