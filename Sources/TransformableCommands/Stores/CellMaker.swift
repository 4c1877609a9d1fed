internal import Foundation
internal import Transformable
internal import TransformableStore

/// Makes the cells of a listing; what is the same for all rows is found once.
struct CellMaker {
    fileprivate struct Column {
        enum Source {
            case number
            case entity
            case attribute(AnyHumanForm?)
        }

        let name: String
        let source: Source

        static let number = Self(name: "_id", source: .number)
        static let entity = Self(name: "entity", source: .entity)
    }

    private let columns: [Column]
    private let inspectors: [Inspector]
    /// How many cells could not be read, by why.
    private(set) var failures: [CellFailure: Int] = [:]

    /// Finds what is the same for all rows.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - store: The store.
    ///   - names: The columns to show: attributes, `_id` for the object's number, `entity` for its entity; nil shows
    ///     the number, the entity where that may differ, and all attributes.
    ///   - registry: The transformers.
    /// - Throws: ``CommandError``: there is no such entity or attribute, or a column is named twice.
    init(_ entity: String, of store: Store, columns names: [String]?, _ registry: TransformerRegistry) throws {
        let attributes = try store.storedAttributes(of: entity).map(Column.init)
        columns =
            try names?
            .map { name in
                let special = [Column.number, .entity].first { $0.name == name }
                if let special, !attributes.contains(where: { $0.name == name }) { return special }
                return Column(try store.storedAttribute(name, of: entity))
            } ?? [.number] + (store.hasChildren(entity) ? [.entity] : []) + attributes
        inspectors = registry.inspectors
        if let twice = names?.firstRepeated { throw CommandError(.usage, "--columns has “\(twice)” twice") }
    }

    /// What stands above the columns.
    var header: [String] { columns.map(\.name) }

    /// The cells of an object.
    ///
    /// - Parameter object: The object.
    /// - Returns: One cell for each column.
    /// - Throws: `StoreError` if the file cannot be read.
    mutating func cells(of object: ManagedObject) throws -> [Cell] {
        var cells: [Cell] = []
        for column in columns {
            switch column.source {
            case .number: cells.append(.literal("\(object.id.number)"))
            case .entity: cells.append(.text(object.id.entity))
            case .attribute(let form): cells.append(try cell(of: column.name, form, in: object))
            }
        }
        return cells
    }

    private mutating func cell(of name: String, _ form: AnyHumanForm?, in object: ManagedObject) throws -> Cell {
        let value: Any?
        do {
            value = try object.anyValue(name)
        } catch let error as StoreError {
            let failure = CellFailure(error)
            failures[failure, default: 0] += 1
            // The file that has them may be missing.
            return .failure(failure, count: (try? object.encodedBytes(name))?.count ?? 0)
        }
        guard let value else { return .null }
        guard let form else { return Cell(plain: value) }
        // A value may have no text, such as a number that JSON lacks; then its bytes are summarised, too.
        guard form.isText, let text = try? form.print(value, nil) else {
            let bytes = try object.encodedBytes(name) ?? Data()
            return .bytes(kind: kind(of: bytes), count: bytes.count)
        }
        return Cell(text: text, of: value)
    }

    private func kind(of bytes: Data) -> String {
        for inspector in inspectors {
            if let inspection = try? inspector.inspect(bytes) { return inspection.kindAndSize }
        }
        return FileKind(sniffing: bytes).name
    }
}

extension CellMaker.Column {
    /// An attribute whose expression does not resolve here has no form, and no values either.
    fileprivate init(_ attribute: AttributeInfo) {
        self.init(name: attribute.name, source: .attribute((try? attribute.transformedForm) ?? nil))
    }
}

extension Inspection {
    /// “PNG image 640 × 480”, where there are a width and a height.
    fileprivate var kindAndSize: String {
        let sides = ["width", "height"].compactMap { label in facts.first { $0.label == label }?.value }
        return sides.count == 2 ? "\(kind) \(sides[0]) × \(sides[1])" : kind
    }
}
