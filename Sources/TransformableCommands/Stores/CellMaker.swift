internal import Foundation
internal import Transformable
internal import TransformableStore

/// Makes the cells of a listing; what is the same for all rows is found once.
struct CellMaker {
    private struct Column {
        let name: String
        let form: AnyHumanForm?
    }

    private let columns: [Column]
    private let inspectors: [Inspector]
    /// How many cells could not be read, by why.
    private(set) var failures: [CellFailure: Int] = [:]

    private let showsEntity: Bool

    /// Finds what is the same for all rows.
    ///
    /// - Parameters:
    ///   - attributes: The attributes.
    ///   - registry: The transformers.
    ///   - showsEntity: Whether each row says which entity its object is of.
    init(_ attributes: [AttributeInfo], _ registry: TransformerRegistry, showsEntity: Bool) {
        // An attribute whose expression does not resolve here has no form, and no values either.
        columns = attributes.map { Column(name: $0.name, form: (try? $0.transformedForm) ?? nil) }
        inspectors = registry.inspectors
        self.showsEntity = showsEntity
    }

    /// What stands above the columns.
    var header: [String] {
        ["_id"] + (showsEntity ? ["entity"] : []) + columns.map(\.name)
    }

    /// The cells of an object: its number, its entity if that is asked for, and its attributes.
    ///
    /// - Parameter object: The object.
    /// - Returns: The cells.
    /// - Throws: `StoreError` if the file cannot be read.
    mutating func cells(of object: ManagedObject) throws -> [Cell] {
        var cells = [Cell.literal("\(object.id.number)")]
        if showsEntity { cells.append(.text(object.id.entity)) }
        for column in columns {
            cells.append(try cell(of: column, in: object))
        }
        return cells
    }

    private mutating func cell(of column: Column, in object: ManagedObject) throws -> Cell {
        let value: Any?
        do {
            value = try object.anyValue(column.name)
        } catch let error as StoreError {
            let failure = CellFailure(error)
            failures[failure, default: 0] += 1
            // The file that has them may be missing.
            return .failure(failure, count: (try? object.encodedBytes(column.name))?.count ?? 0)
        }
        guard let value else { return .null }
        guard let form = column.form else { return Cell(plain: value) }
        // A value may have no text, such as a number that JSON lacks; then its bytes are summarised, too.
        guard form.isText, let text = try? form.print(value, nil) else {
            let bytes = try object.encodedBytes(column.name) ?? Data()
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

extension Inspection {
    /// “PNG image 640 × 480”, where there are a width and a height.
    fileprivate var kindAndSize: String {
        let sides = ["width", "height"].compactMap { label in facts.first { $0.label == label }?.value }
        return sides.count == 2 ? "\(kind) \(sides[0]) × \(sides[1])" : kind
    }
}
