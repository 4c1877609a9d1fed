import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableStore

/// What belongs to a row stays when its unique value moves to another row.
@Suite(.eachEngine) struct UniqueRowTests {
    private let folder: Folder
    private let registry: TransformerRegistry
    private static let plans = (1...3).map { Data(repeating: UInt8($0), count: 1000) }

    init() throws {
        folder = try Folder()
        let ring = try KeyRing.empty.addingKey(named: "seats")
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    private func open(version: Int = 1, authenticatesRows: Bool = false) throws -> Store {
        var attributes: [AttributeDescription] = [
            .integer("position", .unique), .boolean("isFree"), .data("plan", .optional, .externalStorage(over: 100)),
        ]
        if version == 1 {
            attributes += [.decimal("price", .optional), .data("photo", .optional, .externalStorage(over: 100))]
        }
        let seat = EntityDescription(
            "Seat",
            attributes: attributes,
            relationships: [.toOne("neighbor", "Seat")],
            unique: [["isFree", "neighbor"]],
            authenticatesRows: authenticatesRows
        )
        let model = try Model(version: version, entities: [seat])
        return try .trial(at: folder.file(), model: model, transformers: registry)
    }

    private func fill(_ store: Store) throws {
        try store.write { context in
            for (position, plan) in zip(1..., Self.plans) {
                let seat = try context.insert("Seat")
                try seat.setValue(position, for: "position")
                try seat.setValue(false, for: "isFree")
                try seat.setValue(plan, for: "plan")
                try seat.setValue(Decimal(string: "12.50"), for: "price")
                try seat.setValue(Data(plan.reversed()) + plan, for: "photo")
            }
        }
    }

    private func swap(_ context: StoreContext) throws -> [ManagedObject] {
        let seats = try context.fetch("Seat")
        let positions = try seats.prefix(2).map { try $0.value("position", as: Int.self) }
        try seats[0].setValue(positions[1], for: "position")
        try seats[1].setValue(positions[0], for: "position")
        return seats
    }

    private func plans(_ store: Store) throws -> [Data?] {
        try store.read { context in
            try context.fetch("Seat", sortedBy: [.ascending("position")]).map { try $0.value("plan", as: Data?.self) }
        }
    }

    /// Checks the store, and returns the number of its external values.
    private func blobCount(_ store: Store) throws -> Int {
        let found = try store.verify()
        #expect(found.isSound, "\(found.faults)")
        return found.blobCount
    }

    @Test(.alsoWithTenants, arguments: [false, true]) func externalValuesStay(isAuthenticated: Bool) throws {
        let store = try open(authenticatesRows: isAuthenticated)
        try fill(store)
        try store.write { context in _ = try swap(context) }
        #expect(try plans(store) == [Self.plans[1], Self.plans[0], Self.plans[2]])
        #expect(try blobCount(store) == 6)
        let context = store.makeContext()
        _ = try swap(context)
        try context.save()
        #expect(try plans(store) == Self.plans)
        #expect(try blobCount(store) == 6)
    }

    @Test(.alsoWithTenants, arguments: [false, true]) func externalValuesChangeAtTheSameTime(isEditing: Bool) throws {
        let store = try open()
        try fill(store)
        let new = Data(repeating: 9, count: 5000)
        let change = { (context: StoreContext) in
            let seats = try swap(context)
            try seats[0].setValue(new, for: "plan")
            try seats[1].setValue(nil as Data?, for: "plan")
        }
        if isEditing {
            let context = store.makeContext()
            try change(context)
            try context.save()
        } else {
            try store.write(change)
        }
        #expect(try plans(store) == [nil, new, Self.plans[2]])
        #expect(try blobCount(store) == 5)
    }

    @Test func valuesThatWereSetAsideStay() throws {
        let old = try open()
        try fill(old)
        try old.close()
        let store = try open(version: 2)
        let names = try Trial.columns(of: "Seat", in: folder.file()).filter { $0.hasPrefix("_dropped.") }
        #expect(names.count == 2)
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let sql = "SELECT \(list) FROM \"Seat\" ORDER BY \"_id\""
        let before = try Trial.cells(sql, in: folder.file())
        #expect(before.allSatisfy { !$0.contains(.null) })
        let blobs = "SELECT count(*) FROM \"_transformable_blob\""
        try store.write { context in _ = try swap(context) }
        #expect(try Trial.cells(sql, in: folder.file()) == before)
        #expect(try Trial.cells(blobs, in: folder.file()) == [[.integer(6)]])
        #expect(try plans(store) == [Self.plans[1], Self.plans[0], Self.plans[2]])
        _ = try blobCount(store)
    }
}
