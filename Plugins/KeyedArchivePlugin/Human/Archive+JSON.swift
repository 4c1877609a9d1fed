internal import Foundation
internal import _PropertyLists

extension Archive {
    /// The archive as JSON: its top-level objects, and all objects by number.
    ///
    /// A reference is `{"$ref": 3}`, an instance is `{"$object": "NSArray", "$classes": […], "$fields": {…}}`, and a
    /// class is `{"$class": "NSArray", "$classes": […]}`. Scalars are written as by ``ArchivedValue/json``. Values after
    /// the first million are written as `{"$omitted": true}`. For a larger archive, the limit is high enough to write
    /// everything once.
    public var json: String {
        var writer = ArchiveToJSON(storage.table)
        return JSONPrinter.print(writer.tokens(of: self)) + "\n"
    }
}

/// Writes a graph as JSON, using its own stack instead of recursion.
private struct ArchiveToJSON {
    private enum Item {
        /// A reference to an object, or a value.
        case value(ArchivedObject)
        case content(ArchivedObject)
        case token(JSONToken)

        /// The length of the text that is read for the item, or nil if it is already read.
        var length: Int? {
            switch self {
            case .token: nil
            case .content(let object): object.textLength
            case .value(let object): object.number == nil ? object.textLength : 0
            }
        }
    }

    /// The members of the object that stands for omitted values.
    private static let omitted: [JSONToken] = [.name("$omitted"), .boolean(true)]

    private var tokens: [JSONToken] = []
    private var waiting: [Item] = []
    private var budget: PrintBudget

    init(_ table: PropertyListTable) {
        budget = PrintBudget(table)
    }

    mutating func tokens(of archive: Archive) -> [JSONToken] {
        tokens = [.beginObject, .name("$top"), .beginObject]
        for (key, object) in archive.topObjects {
            guard budget.spend(key.utf8.count) else {
                tokens += Self.omitted
                break
            }
            tokens.append(.name(key))
            write(.value(object))
        }
        tokens += [.endObject, .name("$objects"), .beginArray]
        for number in 0..<archive.count {
            write(.content(archive.object(number)))
        }
        return tokens + [.endArray, .endObject]
    }

    private mutating func write(_ item: Item) {
        waiting.append(item)
        while let item = waiting.popLast() {
            guard item.length.map({ budget.spend($0) }) != false else {
                tokens += [.beginObject] + Self.omitted + [.endObject]
                continue
            }
            switch item {
            case .token(let token): tokens.append(token)
            case .content(let object): write(object)
            case .value(let object):
                if let number = object.number {
                    tokens += [.beginObject, .name("$ref"), .integer(Int128(number)), .endObject]
                } else {
                    write(object)
                }
            }
        }
    }

    private mutating func write(_ object: ArchivedObject) {
        switch object.kind {
        case .null: tokens.append(.null)
        case .boolean: tokens.append(.boolean(object.boolean ?? false))
        case .integer: tokens.append(.integer(object.integer ?? 0))
        case .string: tokens.append(.string(object.string ?? ""))
        case .real: tokens += ArchivedValueToJSON.tokens(of: .real(object.real ?? 0))
        case .data: tokens += ArchivedValueToJSON.tokens(of: .data(object.data ?? Data()))
        case .date:
            let date = object.date ?? Date(timeIntervalSinceReferenceDate: 0)
            tokens += ArchivedValueToJSON.tokens(of: .date(date))
        case .list:
            tokens.append(.beginArray)
            waiting.append(.token(.endArray))
            waiting += object.elements.reversed().map { .value($0) }
        case .dictionary: writeFields(of: object)
        case .classDescription:
            tokens.append(.beginObject)
            tokens += object.describedClass?.tokens(tag: "$class") ?? []
            tokens.append(.endObject)
        case .instance:
            tokens.append(.beginObject)
            tokens += object.archivedClass?.tokens(tag: "$object") ?? []
            tokens.append(.name("$fields"))
            waiting.append(.token(.endObject))
            writeFields(of: object)
        }
    }

    private mutating func writeFields(of object: ArchivedObject) {
        tokens.append(.beginObject)
        waiting.append(.token(.endObject))
        var items: [Item] = []
        for field in object.fields {
            guard budget.spend(field.name.utf8.count) else {
                items += Self.omitted.map { .token($0) }
                break
            }
            items += [.token(.name(field.name)), .value(field.value)]
        }
        waiting += items.reversed()
    }
}
