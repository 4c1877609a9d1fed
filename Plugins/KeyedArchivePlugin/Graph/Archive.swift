public import Foundation
public import Transformable
internal import _PropertyLists

/// The contents of a keyed archive: its objects, their classes and fields, and the references between them.
///
/// Classes are not looked up, and none of their code is run. References are preserved: objects can be shared and can
/// contain themselves. Opening an archive validates all of it. A malformed archive is an error, and reading from a
/// valid one cannot fail.
///
/// ```swift
/// let archive = try Archive(data)
/// let name = archive["root"]?["NS.relative"]?.string
/// ```
public struct Archive: Sendable {
    package let storage: ArchiveStorage

    /// Opens an archive in either format.
    ///
    /// - Parameters:
    ///   - data: The archive, which can be damaged or malicious.
    ///   - limits: The limits for the archive.
    /// - Throws: `TransformerError` with the code `invalid-data` and an offset if the archive is malformed,
    ///   `unsupported` if its archiver or version is unknown, or `limit-exceeded` if it exceeds a limit.
    public init(_ data: Data, limits: KeyedArchiveLimits = KeyedArchiveLimits()) throws(TransformerError) {
        storage = try ArchiveStorage(data, limits: limits)
    }

    /// The format of the archive.
    public var format: KeyedArchiveFormat { storage.format }

    /// The number of objects, including the null object, which always comes first.
    public var count: Int { storage.count }

    /// The classes of the objects.
    public var classes: [ArchivedClass] { storage.classes }

    /// The names of the top-level objects.
    ///
    /// Usually, the only one is `root`.
    public var topKeys: [String] {
        storage.table.keys(of: storage.top).map { storage.repairedText(Int($0)) }
    }

    /// The top-level objects and their names.
    var topObjects: [(key: String, object: ArchivedObject)] {
        zip(topKeys, storage.table.values(of: storage.top))
            .map { ($0, ArchivedObject(storage, valueAt: Int($1))) }
    }

    /// Returns a top-level object.
    ///
    /// - Parameter key: The name of the object, which is usually `root`.
    /// - Returns: The object, or nil if there is none with this name.
    public subscript(key: String) -> ArchivedObject? {
        storage.table.value(named: key, in: storage.top).map { ArchivedObject(storage, valueAt: $0) }
    }

    /// Returns an object by its number.
    ///
    /// - Precondition: The number is less than ``count``.
    ///
    /// - Parameter number: The number of the object, which references use.
    /// - Returns: The object.
    public func object(_ number: Int) -> ArchivedObject {
        precondition(0..<count ~= number, "the number of an object must be from 0 to count - 1")
        return ArchivedObject(storage, number: number)
    }
}

extension Archive: CustomStringConvertible {
    /// The archive as an indented tree.
    ///
    /// Each object is printed once; other occurrences refer to it. The tree is cut off after a million lines. For a larger
    /// archive, the limit is high enough to print everything once.
    public var description: String {
        var printer = ArchivePrinter(storage.table)
        return printer.print(self)
    }
}

/// Prints the top-level objects of an archive without recursion.
private struct ArchivePrinter {
    private var tree = TextTree()
    private var budget: PrintBudget
    /// The nodes that were printed, because a property list can have a single node for several equal objects.
    private var printed: Set<Int> = []
    private var waiting: [(label: String, object: ArchivedObject, depth: Int)] = []

    init(_ table: PropertyListTable) {
        budget = PrintBudget(table)
    }

    mutating func print(_ archive: Archive) -> String {
        for (key, object) in archive.topObjects.reversed() {
            waiting.append((key, object, 0))
        }
        while let (label, object, depth) = waiting.popLast() {
            guard budget.spend(label.utf8.count + object.printedLength) else {
                tree.add("… (more than \(budget.limit) lines)", depth: 0)
                break
            }
            let isNew = object.number == nil || printed.insert(object.index).inserted
            let prefix = label.isEmpty ? "" : "\(label): "
            let number = object.kind == .null ? "" : object.number.map { "#\($0) " } ?? ""
            tree.add(prefix + number + (isNew ? summary(of: object) : name(of: object)), depth: depth)
            if isNew { push(object, depth: depth + 1) }
        }
        return tree.text
    }

    private mutating func push(_ object: ArchivedObject, depth: Int) {
        for field in object.fields.reversed() {
            waiting.append((field.name, field.value, depth))
        }
        for element in object.elements.reversed() {
            waiting.append(("", element, depth))
        }
    }

    /// Returns a line that refers to an object that was already printed.
    private func name(of object: ArchivedObject) -> String {
        guard let archivedClass = object.archivedClass else { return summary(of: object) }
        return "\(archivedClass.name) (see above)"
    }

    private func summary(of object: ArchivedObject) -> String {
        switch object.kind {
        case .null: "nil"
        case .boolean: object.boolean == true ? "true" : "false"
        case .integer: object.integer.map { String($0) } ?? ""
        case .real: object.real.map { $0.description } ?? ""
        case .string: TextTree.quoted(object.string ?? "")
        case .data: TextTree.bytes(object.data ?? .init())
        case .date: TextTree.date(object.date?.timeIntervalSinceReferenceDate ?? 0)
        case .instance: object.archivedClass?.name ?? "object"
        case .classDescription: "class \(object.describedName ?? "")"
        case .list: "list of \(object.elements.count)"
        case .dictionary: "dictionary"
        }
    }
}
