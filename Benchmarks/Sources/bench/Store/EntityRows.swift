import Foundation
import GeometryPlugin
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// Rows of plain and transformed attributes, read through a class and by name.
@Entity
final class Row {
    var name: String
    var number: Int
    var weight: Double
    var made: Date
    @Attribute(transformer: .rect) var bed: CGRect
    var note: String?

    init(_ number: Int) {
        self.number = number
        name = Patient.name(Int64(number))
        weight = Double(number) / 4
        made = Date(timeIntervalSinceReferenceDate: Double(number))
        bed = Patient.bed(Int64(number))
        note = number.isMultiple(of: 2) ? "even" : nil
    }
}

/// A store of such rows.
struct EntityRows {
    private let store: Store

    init(at url: URL, count: Int) throws {
        store = try Store(at: url, for: Row.self, transformers: TransformerRegistry { GeometryPlugin() })
        try store.write { context in
            for number in 1...count { context.insert(Row(number)) }
        }
    }

    func sumOfObjects() throws -> Double {
        try store.read { context in
            var sum = 0.0
            for row in try context.fetch(Row.self) {
                sum += Patient.sum(row.name, row.bed, ssn: row.number) + row.weight
                sum += row.made.timeIntervalSinceReferenceDate + Double(row.note?.utf8.count ?? 0)
            }
            return sum
        }
    }

    func sumByName() throws -> Double {
        try store.read { context in
            var sum = 0.0
            for row in try context.fetch("Row") {
                sum += try Patient.sum(
                    row.value("name", as: String.self),
                    row.value("bed", as: CGRect.self),
                    ssn: row.value("number", as: Int.self)
                )
                sum += try row.value("weight", as: Double.self)
                sum += try row.value("made", as: Date.self).timeIntervalSinceReferenceDate
                sum += try Double(row.value("note", as: String?.self)?.utf8.count ?? 0)
            }
            return sum
        }
    }
}
