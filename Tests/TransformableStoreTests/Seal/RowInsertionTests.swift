import Foundation
import GRDB
import Testing
import Transformable

// SQLite's counter of changes is internal.
@testable import TransformableStore

/// New rows of an entity that authenticates its rows.
@Suite(.eachEngine) struct RowInsertionTests {
    @Test func eachNewRowIsWrittenOnce() throws {
        let fixture = try RowFixture()
        let store = try fixture.open()
        let count = try store.write { context in
            for index in 0..<3 { try context.insert("Patient").setValue("Patient \(index)", for: "name") }
            let before = try context.database().totalChangedCount
            try context.save()
            return try context.database().totalChangedCount - before
        }
        #expect(count == 3)
        #expect(try store.verify().isSound)
    }

    /// SQLite stores -0 as 0, and whole numbers as integers.
    @Test(.enabled(if: RowFixture.hasPython), arguments: [-0.0, 0, 7, 0.1, .infinity, 1e300, .leastNonzeroMagnitude])
    func aTagCoversWhatIsStored(weight: Double) throws {
        let fixture = try RowFixture()
        let store = try fixture.open()
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue(weight, for: "weight")
        }
        try store.write { context in
            _ = try context.insert(many: 0..<2, into: "Patient") { patient, number in
                try patient.setValue("Bulk \(number)", for: "name")
                try patient.setValue(weight, for: "weight")
            }
        }
        let weights = try store.read { try $0.fetch("Patient").map { try $0.value("weight", as: Double.self) } }
        #expect(weights == [weight, weight, weight])
        #expect(try fixture.check().hasSuffix(" genuine"))
    }
}
