internal import Foundation
internal import Transformable
internal import _PropertyLists

extension Inspector {
    /// An inspector that shows any keyed archive as a tree, even if its classes are unknown.
    static let keyedArchive = Inspector("keyed archive") { data in
        guard let (table, _) = try? PropertyListReader.read(data, limits: KeyedArchiveLimits().list),
            case let root = table.nodes[table.root],
            root.kind == .dictionary, table.value(.archiver, in: root) != nil
        else { return nil }
        let archive = try Archive(data)
        let facts = [
            Inspection.Fact("format", archive.format.rawValue),
            Inspection.Fact("bytes", String(data.count)),
            Inspection.Fact("objects", String(archive.count)),
            Inspection.Fact("top", TextTree.list(archive.topKeys)),
            Inspection.Fact("classes", TextTree.list(archive.classes.map(\.name).sorted())),
        ]
        return Inspection("keyed archive", facts: facts, details: archive.description)
    }

    /// An inspector that shows any other property list as a tree.
    static let propertyList = Inspector("property list") { data in
        guard PropertyListReader.recognizes(data) else { return nil }
        let (table, form) = try PropertyListReader.read(data, limits: KeyedArchiveLimits().list)
        let facts = [
            Inspection.Fact("format", form.rawValue),
            Inspection.Fact("bytes", String(data.count)),
            Inspection.Fact("objects", String(table.nodes.count)),
        ]
        return Inspection("property list", facts: facts, details: try PropertyListPrinter.print(table))
    }
}

/// Prints a property list without recursion.
private struct PropertyListPrinter {
    private let table: PropertyListTable
    private var tree = TextTree()
    private var budget: PrintBudget
    /// The nodes to print, with the nodes of their keys.
    private var waiting: [(key: Int?, node: Int, depth: Int)] = []
    /// The summaries of long text and data by node, because many references can refer to the same bytes.
    private var summaries: [Int: String] = [:]

    static func print(_ table: PropertyListTable) throws(TransformerError) -> String {
        var printer = Self(table: table)
        printer.waiting = [(nil, table.root, 0)]
        while let (key, node, depth) = printer.waiting.popLast() {
            let length = (key.map { table.nodes[$0].textLength } ?? 0) + table.nodes[node].printedLength
            guard printer.budget.spend(length) else { throw .tooMuchSharing(printer.budget.limit) }
            let label = key.map { table.repairedText(table.nodes[$0]) } ?? ""
            printer.tree.add((label.isEmpty ? "" : "\(label): ") + printer.summary(node), depth: depth)
            printer.push(table.nodes[node], depth: depth + 1)
        }
        return printer.tree.text
    }

    private init(table: PropertyListTable) {
        self.table = table
        budget = PrintBudget(table)
    }

    private mutating func push(_ node: PropertyListNode, depth: Int) {
        guard node.isContainer else { return }
        guard node.kind == .dictionary else {
            for element in table.elements(of: node).reversed() {
                waiting.append((nil, Int(element), depth))
            }
            return
        }
        for (key, value) in zip(table.keys(of: node), table.values(of: node)).reversed() {
            waiting.append((Int(key), Int(value), depth))
        }
    }

    private mutating func summary(_ index: Int) -> String {
        let node = table.nodes[index]
        guard node.textLength > node.printedLength else { return summary(of: node) }
        if let known = summaries[index] { return known }
        let text = summary(of: node)
        summaries[index] = text
        return text
    }

    private func summary(of node: PropertyListNode) -> String {
        switch node.kind {
        case .null: "null"
        case .boolean: node.payload == 1 ? "true" : "false"
        case .integer, .wideInteger: String(table.integer(node) ?? 0)
        case .real: node.double.description
        case .date: TextTree.date(node.double)
        case .data: TextTree.bytes(table.data(node))
        case .asciiString, .utf8String, .utf16String: TextTree.quoted(table.repairedText(node))
        case .uid: "reference \(node.payload)"
        case .array: "array of \(node.count)"
        case .orderedSet, .set: "set of \(node.count)"
        case .dictionary: "dictionary of \(node.count)"
        }
    }
}

extension PropertyListNode {
    /// The length of the node's text or data.
    fileprivate var textLength: Int { isString || kind == .data ? Int(count) : 0 }

    /// The length of the part of the node's text or data that is printed.
    var printedLength: Int {
        if isString { return min(Int(count), TextTree.longestText) }
        return kind == .data ? min(Int(count), TextTree.mostBytes) : 0
    }
}

/// Counts the lines that a printer writes.
///
/// With sharing, a few bytes can represent an exponential number of lines, or repeat a long text in many of them.
struct PrintBudget {
    private static let mostLines = 1_000_000
    private static let lineLength = 80

    /// The maximum number of lines, which is enough to print everything in a property list once.
    let limit: Int
    private var rest: Int

    init(_ table: PropertyListTable) {
        let lines = table.nodes.count + table.references.count + table.bytes.count / Self.lineLength
        limit = max(Self.mostLines, lines)
        rest = limit
    }

    /// Counts a line that contains `length` bytes of text, and returns whether it can be printed.
    mutating func spend(_ length: Int) -> Bool {
        rest = max(-1, rest - 1 - length / Self.lineLength)
        return rest >= 0
    }
}

/// Lines of text, indented by their level.
struct TextTree {
    /// The maximum indentation, so that a deep tree does not take a quadratic amount of memory.
    private static let deepestIndentation = 60
    static let longestText = 200
    static let mostBytes = 32
    private static let mostNames = 100

    private(set) var text = ""

    /// Adds a line, and escapes its control characters, because names and text from the file can contain newlines.
    mutating func add(_ line: String, depth: Int) {
        text += String(repeating: "  ", count: min(depth, Self.deepestIndentation))
        let isPlain = line.utf8.allSatisfy { $0 >= 0x20 }
        text += isPlain ? line : Self.escaped(line)
        text += "\n"
    }

    private static func escaped(_ line: String) -> String {
        line.unicodeScalars.map { $0.value < 0x20 ? $0.escaped(asASCII: false) : String($0) }.joined()
    }

    /// Returns a string in quotation marks, truncated if it is long.
    static func quoted(_ string: String) -> String {
        let shown = string.unicodeScalars.prefix(longestText)
        let isWhole = shown.endIndex == string.unicodeScalars.endIndex
        return isWhole ? "“\(string)”" : "“\(String(shown))…” (\(string.utf8.count) bytes)"
    }

    /// Returns names separated by commas, truncated if they are long or many.
    static func list(_ names: [String]) -> String {
        let shown = names.prefix(mostNames)
            .map { name in
                let start = name.unicodeScalars.prefix(longestText)
                return start.endIndex == name.unicodeScalars.endIndex ? name : "\(String(start))…"
            }
        return (shown + (names.count > mostNames ? ["…"] : [])).joined(separator: ", ")
    }

    static func bytes(_ data: Data) -> String {
        let digits = HexadecimalText.text(of: data.prefix(mostBytes))
        let rest = data.count > mostBytes ? "…" : ""
        return data.isEmpty ? "no bytes" : "\(data.count.counted("byte")): \(digits)\(rest)"
    }

    static func date(_ seconds: Double) -> String {
        seconds.exactDateText ?? "\(seconds) s since 2001"
    }
}
