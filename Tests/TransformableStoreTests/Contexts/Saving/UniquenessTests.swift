import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

/// Uniqueness is checked at the end of a save.
@Suite(.eachEngine) struct UniquenessTests {
    static func store(at url: URL? = nil, _ registry: TransformerRegistry? = nil) throws -> Store {
        let registry = try registry ?? Transformers().registry()
        let model = try Model(entities: [
            EntityDescription(
                "Seat",
                attributes: [
                    .integer("position", .unique), .string("label", .unique, .optional), .integer("row"),
                    .integer("number"), .string("guest", .optional),
                    .transformed(
                        "secret",
                        "text | bound",
                        as: String.self,
                        .optional,
                        .projected("text | blind", as: "index")
                    ),
                ],
                unique: [["row", "number"], ["index"]]
            )
        ])
        let store =
            if let url { try Store.trial(at: url, model: model, transformers: registry) } else {
                try Store.trial(model: model, transformers: registry)
            }
        try store.insert(many: 1...9, into: "Seat") { seat, position in
            try seat.setValue(position, for: "position")
            try seat.setValue("L\(position)", for: "label")
            try seat.setValue(position / 3, for: "row")
            try seat.setValue(position % 3, for: "number")
            try seat.setValue("S\(position)", for: "secret")
        }
        return store
    }

    /// The values of an attribute of all objects, in insertion order.
    static func values(_ name: String, in store: Store) throws -> [String] {
        try store.read { context in
            try context.fetch("Seat").map { "\(try $0.anyValue(name) ?? "nil")" }
        }
    }

    /// Sets the values of each object to those of the next one, and those of the last to those of the first.
    private static func rotate(_ names: [String], _ seats: [ManagedObject]) throws {
        let values = try seats.map { seat in try names.map { try seat.anyValue($0) } }
        for (index, seat) in seats.enumerated() {
            for (name, value) in zip(names, values[(index + 1) % seats.count]) {
                try seat.setValue(any: value, for: name)
            }
        }
    }

    @Test(arguments: [["position"], ["label"], ["row", "number"], ["secret"], ["position", "label", "secret"]])
    func valuesMoveInACircle(_ names: [String]) throws {
        let store = try Self.store()
        let before = try names.map { try Self.values($0, in: store) }
        try store.write { try Self.rotate(names, $0.fetch("Seat")) }
        let after = try names.map { try Self.values($0, in: store) }
        #expect(after == before.map { Array($0.dropFirst()) + $0.prefix(1) })
        #expect(try store.verify().faults.isEmpty)
    }

    @Test(arguments: [1, -1]) func positionsShiftByOne(_ step: Int) throws {
        let store = try Self.store()
        try store.write { context in
            for seat in try context.fetch("Seat") {
                try seat.setValue(seat.value("position", as: Int.self) + step, for: "position")
            }
        }
        #expect(try Self.values("position", in: store) == (1...9).map { "\($0 + step)" })
    }

    @Test(arguments: [1, -1]) func positionsShiftInABulkUpdate(_ step: Int) throws {
        let model = try Model(entities: [EntityDescription("Seat", attributes: [.integer("position", .unique)])])
        let store = try Store.trial(model: model, transformers: TransformerRegistry {})
        try store.insert(many: 1...1100, into: "Seat") { try $0.setValue($1, for: "position") }
        let count = try store.write { context in
            try context.update("Seat", where: .all) { seat in
                try seat.setValue(seat.value("position", as: Int.self) + step, for: "position")
            }
        }
        #expect(count == 1100)
        #expect(try Self.values("position", in: store) == (1...1100).map { "\($0 + step)" })
    }

    @Test func anEditingContextSwapsAndUndoes() throws {
        let store = try Self.store()
        let context = store.makeContext()
        let seats = try context.fetch("Seat", limit: 2)
        try context.group { try Self.rotate(["position", "label"], seats) }
        try context.save()
        #expect(try Self.values("label", in: store).prefix(2) == ["L2", "L1"])
        try Self.rotate(["position", "label"], seats)
        try context.save()
        #expect(try Self.values("label", in: store).prefix(2) == ["L1", "L2"])
    }

    @Test func aNewObjectTakesOverAValue() throws {
        let store = try Self.store()
        try store.write { context in
            let new = try context.insert("Seat")
            for (name, value) in ["position": 1, "row": 9, "number": 9] { try new.setValue(value, for: name) }
            let first = try #require(try context.first("Seat", where: Field("label") == "L1"))
            try first.setValue(10, for: "position")
        }
        #expect(try Self.values("position", in: store) == ["10", "2", "3", "4", "5", "6", "7", "8", "9", "1"])
    }

    @Test func fetchesInBetweenSeeBothHalvesOfASwap() throws {
        let store = try Self.store()
        try store.write { context in
            let first = try #require(try context.first("Seat", where: Field("position") == 1))
            try first.setValue(2, for: "position")
            #expect(try context.count("Seat", where: Field("position") == 2) == 2)
            #expect(try context.count("Seat", where: Field("position") == 1) == 0)
            var found: [Int64] = []
            try context.forEach("Seat", where: Field("position") == 2) { seat in
                found.append(seat.id.number)
                if seat != first { try seat.setValue(1, for: "position") }
            }
            #expect(found == [1, 2])
            #expect(try context.count("Seat", where: Field("position") == 2) == 1)
        }
        #expect(try Self.values("position", in: store).prefix(2) == ["2", "1"])
    }

    @Test(arguments: [
        (["position"], "position"), (["label"], "label"), (["row", "number"], "row"), (["secret"], "index"),
    ])
    func errorsNameTheObjectWithADuplicateValue(_ names: [String], _ culprit: String) throws {
        let folder = try Folder()
        let url = folder.file()
        let store = try Self.store(at: url)
        let before = try Self.values("position", in: store)
        let error = #expect(throws: StoreError(code: .notUnique)) {
            try store.write { context in
                let seats = try context.fetch("Seat")
                try Self.rotate(["position", "label", "secret"], Array(seats.prefix(3)))
                for name in names { try seats[4].setValue(any: seats[8].anyValue(name), for: name) }
                try seats[5].setValue("Ada", for: "guest")
            }
        }
        #expect(error?.object == ObjectID(entity: "Seat", number: 5))
        #expect(error?.attribute == culprit)
        #expect(try Self.values("position", in: store) == before)
        #expect(try Self.values("guest", in: store).allSatisfy { $0 == "nil" })
    }

    @Test(.sqliteOnly("it changes the file with SQL")) func aProjectionOfAUniqueGroupIsRecomputed() throws {
        let folder = try Folder()
        let registry = try ReencodingFixture().registry
        try Self.store(at: folder.file(), registry).close()
        // As if a different expression had computed it.
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE _transformable_projection SET fingerprint = ''")
            try database.execute(sql: "UPDATE Seat SET \"index\" = -_id")
        }
        let store = try Store.trial(at: folder.file(), model: nil, transformers: registry)
        #expect(try store.verify().isSound)
        #expect(throws: StoreError(code: .notUnique)) {
            try store.write { try $0.fetch("Seat")[3].setValue("S9", for: "secret") }
        }
    }

    @Test func aFailedSaveRestoresMovedValues() throws {
        let store = try Self.store()
        try store.write { context in
            let seats = try context.fetch("Seat")
            try Self.rotate(["position"], Array(seats.prefix(3)))
            try seats[4].setValue(9, for: "position")
            #expect(throws: StoreError(code: .notUnique)) { try context.save() }
            context.rollback()
        }
        #expect(try Self.values("position", in: store) == (1...9).map { "\($0)" })
        try store.write { context in
            let seats = try context.fetch("Seat")
            try seats[4].setValue(9, for: "position")
            #expect(throws: StoreError(code: .notUnique)) { try context.save() }
            try seats[8].setValue(5, for: "position")
        }
        #expect(try Self.values("position", in: store) == ["1", "2", "3", "4", "9", "6", "7", "8", "5"])
    }
}
