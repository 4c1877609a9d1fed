internal import Foundation

extension Archive: CustomStringConvertible {
    /// The archive as an indented tree.
    ///
    /// Each object is printed once, and otherwise referred to.
    public var description: String {
        var printer = ArchivePrinter()
        return printer.print(self)
    }
}

/// Prints the top-level objects of an archive without recursion.
private struct ArchivePrinter {
    private var tree = TextTree()
    /// The nodes that were printed, because a property list can have a single node for several equal objects.
    private var printed: Set<Int> = []
    private var waiting: [(label: String, object: ArchivedObject, depth: Int)] = []

    mutating func print(_ archive: Archive) -> String {
        for (key, object) in archive.topObjects.reversed() {
            waiting.append((key, object, 0))
        }
        while let (label, object, depth) = waiting.popLast() {
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
        case .classDescription: "class \(object.describedClass?.name ?? "")"
        case .list: "list of \(object.elements.count)"
        case .dictionary: "dictionary"
        }
    }
}
