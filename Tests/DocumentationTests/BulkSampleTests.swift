import Foundation
import GeometryPlugin
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct BulkSampleTests {
    private struct Reading: Sendable {
        let time: Date
        let wave: [Double]
    }

    private let readings = (0..<50).map { Reading(time: Date(timeIntervalSinceReferenceDate: Double($0)), wave: [1]) }

    private func makeStore() throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Station"),
            EntityDescription(
                "Reading",
                attributes: [.date("time"), .transformed("wave", "json | gzip", as: [Double].self)],
                relationships: [.toOne("station", "Station")]
            ),
        ])
        return try Store.inMemory(model: model, transformers: TransformerRegistry { StandardPlugin() })
    }

    private func insertions(_ store: Store) throws {
        let numbers = try store.insert(many: readings, into: "Reading") { reading, element in
            try reading.setValue(element.time, for: "time")
            try reading.setValue(element.wave, for: "wave")
        }
        #expect(numbers == 1..<51)
        try store.write { context in
            let station = try context.insert("Station")
            let number = station.id.number
            try context.insert(many: readings, into: "Reading") { reading, element in
                try reading.setValue(element.time, for: "time")
                try reading.setValue(element.wave, for: "wave")
                try reading.setValue(number, for: "station")
            }
        }
    }

    @Test func bulkWork() async throws {
        let store = try makeStore()
        let readings = readings
        try insertions(store)
        let stream = AsyncStream { continuation in
            for reading in readings { continuation.yield(reading) }
            continuation.finish()
        }
        let count = try await store.insert(many: stream, into: "Reading", batchSize: 1000) { reading, element in
            try reading.setValue(element.time, for: "time")
            try reading.setValue(element.wave, for: "wave")
        }
        #expect(count == 50)
        try updates(store)
    }

    private func updates(_ store: Store) throws {
        let moved = try store.write { context in
            try context.update("Reading", where: Condition("station is null")) { reading in
                try reading.setValue(1, for: "station")
            }
        }
        let deleted = try store.write { try $0.delete("Reading", where: Condition("time < 2001-01-01")) }
        #expect(moved == 100)
        #expect(deleted == 0)
    }

    @Test func reading() throws {
        let model = try Model(entities: [
            EntityDescription("Patient", attributes: [.transformed("bed", "rect", as: CGRect.self)])
        ])
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry { GeometryPlugin() })
        try store.insert(many: 1...500, into: "Patient") { patient, number in
            try patient.setValue(CGRect(x: 0, y: 0, width: Double(number), height: 2), for: "bed")
        }
        let width = try store.read { context in
            var width = 0.0
            try context.forEach("Patient") { width += try $0.value("bed", as: CGRect.self).width }
            return width
        }
        #expect(width == 125_250)
    }

    @Test func composites() throws {
        let model = try Model(entities: [
            EntityDescription(
                "Box",
                attributes: [.string("label")],
                composites: [CompositeDescription("size", as: CGSize.self)]
            )
        ])
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        try store.write { context in
            let box = try context.insert("Box")
            try box.setValue("a", for: "label")
            try box.setValue(CGSize(width: 4, height: 2), for: "size")
        }
        let wide = try store.read { context in
            try context.fetch("Box", where: Condition("size.width > 3")).map { try $0.value("size", as: CGSize.self) }
        }
        #expect(wide == [CGSize(width: 4, height: 2)])
    }
}
