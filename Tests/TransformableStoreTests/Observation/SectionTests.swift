import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import _HostileInputs

/// The sections of a list as plain text, for comparisons.
private func arrangement(_ list: SectionList) -> [[Int64]] {
    list.sections.map { $0.ids.map(\.number) }
}

extension SectionChanges {
    /// Applies the changes in the order that the documentation describes.
    func applied(to old: [[Int64]], _ list: SectionList) throws -> [[Int64]] {
        var rows = old
        for position in (deleted.map(\.position) + moved.map(\.from)).sorted(by: >) {
            rows[position.section].remove(at: position.item)
        }
        for section in deletedSections.reversed() {
            #expect(rows.remove(at: section).isEmpty)
        }
        for section in insertedSections { rows.insert([], at: section) }
        let arriving = inserted.map { ($0.position, $0.id) } + moved.map { ($0.to, $0.id) }
        for (position, id) in arriving.sorted(by: { $0.0 < $1.0 }) {
            rows[position.section].insert(id.number, at: position.item)
        }
        return rows
    }
}

/// A move as plain text, for comparisons.
private struct Step: Equatable {
    let id: ObjectID
    let from: SectionPosition
    let to: SectionPosition

    init(_ id: ObjectID, _ from: SectionPosition, _ to: SectionPosition) {
        (self.id, self.from, self.to) = (id, from, to)
    }

    init(_ move: SectionChanges.Move) {
        self.init(move.id, move.from, move.to)
    }
}

@Suite struct SectionTests {
    private func store(_ options: Store.Options = Store.Options()) throws -> Store {
        try Store.inMemory(model: Models.person(), transformers: Transformers().registry(), options: options)
    }

    private func position(_ section: Int, _ item: Int) -> SectionPosition {
        SectionPosition(section: section, item: item)
    }

    @Test func startsWithTheWholeResult() async throws {
        let store = try store()
        for (name, age) in [("Cid", 2), ("Ada", 1), ("Bea", 2)] { try store.addPerson(name, age: age) }
        try store.addPerson("Dee")
        let sections = try store.sections(
            of: "Person",
            sortedBy: [.ascending("age"), .ascending("name")],
            by: "age"
        )
        var lists = sections.makeAsyncIterator()
        let list = try #require(try await lists.next())
        #expect(arrangement(list) == [[4], [2], [3, 1]])
        #expect(try list.sections.map { try $0.value(as: Int?.self) } == [nil, 1, 2])
        #expect(throws: StoreError(code: .missingValue)) { try list.sections[0].value(as: Int.self) }
        #expect(list.changes.insertedSections == [0, 1, 2])
        #expect(
            list.changes.inserted.map(\.position) == [position(0, 0), position(1, 0), position(2, 0), position(2, 1)]
        )
        #expect(list.count == 4 && list.ids.count == 4)
        let cid = ObjectID(entity: "Person", number: 1)
        #expect(list.position(of: cid) == position(2, 1) && list[position(2, 1)] == cid)
        #expect(list.position(of: ObjectID(entity: "Person", number: 9)) == nil)
    }

    @Test func reportsEachKindOfChange() async throws {
        let store = try store()
        let ids = try (1...4).map { try store.addPerson("p\($0)", age: $0 < 4 ? 1 : 2) }
        var lists = try store.sections(of: "Person", sortedBy: [.ascending("age"), .ascending("name")], by: "age")
            .makeAsyncIterator()
        _ = try await lists.next()

        // An object that keeps its position.
        try await store.write { try $0.object(ids[1]).setValue("p2!", for: "name") }
        var changes = try #require(try await lists.next()).changes
        var expected = [Step(ids[1], position(0, 1), position(0, 1))]
        #expect(changes.updated.map(Step.init) == expected && changes.moved.isEmpty && changes.inserted.isEmpty)

        // An object that moves past another in its section.
        try await store.write { try $0.object(ids[0]).setValue("p9", for: "name") }
        changes = try #require(try await lists.next()).changes
        expected = [Step(ids[0], position(0, 0), position(0, 2))]
        #expect(changes.moved.map(Step.init) == expected && changes.updated.isEmpty)

        // An object that moves to another section. The objects after it do not move.
        try await store.write { try $0.object(ids[1]).setValue(2, for: "age") }
        changes = try #require(try await lists.next()).changes
        expected = [Step(ids[1], position(0, 0), position(1, 0))]
        #expect(changes.moved.map(Step.init) == expected && changes.updated.isEmpty)

        // Removing the last object of a section deletes the section.
        try await store.write { context in
            for id in [ids[0], ids[2]] { try context.delete(context.object(id)) }
        }
        changes = try #require(try await lists.next()).changes
        #expect(changes.deletedSections == [0] && changes.deleted.map(\.id) == [ids[2], ids[0]])
        #expect(changes.moved.isEmpty && changes.insertedSections.isEmpty)

        let new = try store.addPerson("q", age: 0)
        changes = try #require(try await lists.next()).changes
        #expect(changes.insertedSections == [0])
        #expect(changes.inserted.map(\.id) == [new] && changes.inserted.map(\.position) == [position(0, 0)])
    }

    @Test func aReorderedSectionIsDeletedAndInserted() async throws {
        let store = try store()
        for (name, age) in [("a", 1), ("b", 2), ("c", 2)] { try store.addPerson(name, age: age) }
        var lists = try store.sections(of: "Person", sortedBy: [.ascending("name")], by: "age").makeAsyncIterator()
        let old = try #require(try await lists.next())
        #expect(arrangement(old) == [[1], [2, 3]])
        try await store.write { try $0.object(ObjectID(entity: "Person", number: 1)).setValue("z", for: "name") }
        let list = try #require(try await lists.next())
        #expect(arrangement(list) == [[2, 3], [1]])
        // The smaller section is deleted.
        #expect(list.changes.deletedSections == [0] && list.changes.insertedSections == [1])
        #expect(list.changes.moved.map(\.id.number) == [1] && list.changes.updated.isEmpty)
    }

    @Test func ignoresUnrelatedChanges() async throws {
        let store = try Store.inMemory(model: RelationshipTests.clinic(), transformers: Transformers().registry())
        let id = try await store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return patient.id
        }
        var lists = try store.sections(of: "Patient", where: Condition("name startsWith 'A'")).makeAsyncIterator()
        #expect(arrangement(try #require(try await lists.next())) == [[1]])
        try await store.write { try $0.insert("Doctor").setValue("Dee", for: "name") }
        try await store.write { try $0.insert("Patient").setValue("Bea", for: "name") }
        try await store.write { try $0.object(id).setValue("Anna", for: "name") }
        let changes = try #require(try await lists.next()).changes
        #expect(changes.updated.map(\.id) == [id] && changes.inserted.isEmpty)
    }

    @Test func followsConditionsOnRelatedObjects() async throws {
        let store = try Store.inMemory(model: RelationshipTests.clinic(), transformers: Transformers().registry())
        let ids = try await store.write { context in
            let patient = try context.insert("Patient")
            let doctor = try context.insert("Doctor")
            for object in [patient, doctor] { try object.setValue("x", for: "name") }
            return [patient.id, doctor.id]
        }
        let condition = try Condition("any doctors.name == 'x' or name == 'x'")
        var lists = try store.sections(of: "Patient", where: condition).makeAsyncIterator()
        #expect(try #require(try await lists.next()).count == 1)
        // Only the table of pairs changes.
        try await store.write { try $0.object(ids[0]).add($0.object(ids[1]), to: "doctors") }
        #expect(try #require(try await lists.next()).changes.updated.map(\.id) == [ids[0]])
        try await store.write { try $0.object(ids[0]).setValue("y", for: "name") }
        _ = try await lists.next()
        try await store.write { try $0.object(ids[1]).setValue("z", for: "name") }
        #expect(try #require(try await lists.next()).changes.deleted.map(\.id) == [ids[0]])
    }

    @Test func aSlowReaderGetsTheLatestState() async throws {
        let store = try store()
        var lists = try store.sections(of: "Person", sortedBy: [.ascending("name")]).makeAsyncIterator()
        let empty = try #require(try await lists.next())
        #expect(arrangement(empty) == [[]] && empty.changes.insertedSections == [0])
        #expect(throws: StoreError(code: .misuse)) { try empty.sections[0].value(as: Int.self) }
        let first = try store.addPerson("b")
        let second = try store.addPerson("a")
        try await store.write { try $0.delete($0.object(first)) }
        let list = try #require(try await lists.next())
        #expect(list.ids == [second])
        #expect(list.changes.inserted.map(\.id) == [second] && list.changes.deleted.isEmpty)
    }

    @Test func sealedValuesFormSectionsByTheirPlaintext() async throws {
        let store = try store()
        for (name, secret) in [("a", "x"), ("b", "y"), ("c", "x")] { try store.addPerson(name, secret: secret) }
        try store.addPerson("d")
        var lists = try store.sections(of: "Person", by: "secret").makeAsyncIterator()
        let list = try #require(try await lists.next())
        #expect(arrangement(list) == [[1, 3], [2], [4]])
        #expect(try list.sections.map { try $0.value(as: String?.self) } == ["x", "y", nil])
        // Resealing changes the bytes, but not the section.
        try await store.write { try $0.object(ObjectID(entity: "Person", number: 1)).setValue("y", for: "secret") }
        try await store.write { try $0.object(ObjectID(entity: "Person", number: 1)).setValue("x", for: "secret") }
        let changes = try #require(try await lists.next()).changes
        #expect(changes.updated.count == 1 && changes.moved.isEmpty && changes.insertedSections.isEmpty)
    }

    @Test(arguments: ["box", "area"]) func transformedValuesAndProjectionsFormSections(name: String) async throws {
        let store = try store()
        for (width, height) in [(2, 3), (4, 5), (2, 3)] {
            try store.addPerson("a", box: Box(width: width, height: height))
        }
        var lists = try store.sections(of: "Person", by: name).makeAsyncIterator()
        let list = try #require(try await lists.next())
        #expect(arrangement(list) == [[1, 3], [2]])
        if name == "area" { #expect(try list.sections.map { try $0.value(as: Int64.self) } == [6, 20]) }
        if name == "box" { #expect(try list.sections[1].value(as: Box.self) == Box(width: 4, height: 5)) }
    }

    @Test func equalTextFormsOneSection() async throws {
        let store = try store()
        for name in ["e\u{301}", "\u{E9}"] { try store.addPerson(name, secret: name) }
        for name in ["name", "secret"] {
            var lists = try store.sections(of: "Person", by: name).makeAsyncIterator()
            #expect(arrangement(try #require(try await lists.next())) == [[1, 2]])
        }
    }

    // Other programs can write -0 to PostgreSQL. SQLite stores it as 0.
    @Test(.eachEngine) func equalNumbersFormOneSection() async throws {
        let folder = try Folder()
        let model = try Model(entities: [EntityDescription("Reading", attributes: [.double("value")])])
        let store = try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
        try await store.write { context in
            for value in [1.0, 0, 2, 0] { try context.insert("Reading").setValue(value, for: "value") }
        }
        try Trial.run(
            "UPDATE \"Reading\" SET \"value\" = CAST('-0' AS double precision) WHERE \"_id\" = 2",
            in: folder.file()
        )
        var lists = try store.sections(of: "Reading", by: "value").makeAsyncIterator()
        #expect(arrangement(try #require(try await lists.next())) == [[1], [2, 4], [3]])
        try await store.write { context in
            for object in try context.fetch("Reading", where: Field("value") == 0.0) {
                try object.setValue(0.0, for: "value")
            }
            try context.insert("Reading").setValue(0.0, for: "value")
        }
        let list = try #require(try await lists.next())
        #expect(arrangement(list) == [[1], [2, 4, 5], [3]])
        #expect(list.changes.deletedSections.isEmpty && list.changes.insertedSections.isEmpty)
    }

    // Other programs can also write 1.10 for 1.1, and lowercase UUIDs to SQLite.
    @Test(.eachEngine, arguments: [("price", "1.10"), ("key", "0000000a-0000-0000-0000-00000000000b")])
    func equalValuesFormOneSectionHoweverTheyAreWritten(name: String, text: String) async throws {
        let folder = try Folder()
        let entity = EntityDescription("Item", attributes: [.decimal("price"), .uuid("key")])
        let model = try Model(entities: [entity])
        let store = try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
        try await store.write { context in
            for digit in ["A", "C", "A"] {
                let item = try context.insert("Item")
                try item.setValue(Decimal(digit == "A" ? 11 : 7) / 10, for: "price")
                try item.setValue(text: "0000000\(digit)-0000-0000-0000-00000000000B", for: "key")
            }
        }
        try Trial.run("UPDATE \"Item\" SET \"\(name)\" = '\(text)' WHERE \"_id\" = 3", in: folder.file())
        var lists = try store.sections(of: "Item", by: name).makeAsyncIterator()
        #expect(arrangement(try #require(try await lists.next())) == [[1, 3], [2]])
    }

    @Test(arguments: [Store.Options.Quarantine.fail, .report])
    func undecodableValuesFormASectionOrThrow(quarantine: Store.Options.Quarantine) async throws {
        let folder = try Folder()
        do {
            let store = try Store.people(in: folder)
            for name in ["a", "b", "c"] { try store.addPerson(name, box: Box(width: 1, height: 1)) }
            try store.close()
        }
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET box = x'41' || _id WHERE _id > 1") }
        let options = Store.Options(quarantine: quarantine)
        let store = try Store(at: folder.file(), transformers: Transformers().registry(), options: options)
        var lists = try store.sections(of: "Person", by: "box").makeAsyncIterator()
        guard quarantine == .report else {
            await #expect(throws: StoreError(code: .undecodable)) { try await lists.next() }
            #expect(try await lists.next() == nil)
            return
        }
        let list = try #require(try await lists.next())
        #expect(arrangement(list) == [[1], [2, 3]])
        #expect(throws: StoreError(code: .undecodable)) { try list.sections[1].value(as: Box.self) }
        try store.addPerson("d")
        #expect(try #require(try await lists.next()).changes.insertedSections == [2])
    }

    @Test func invalidNamesAreImmediateErrors() throws {
        let store = try store()
        #expect(throws: StoreError(code: .unknownEntity)) { try store.sections(of: "Nobody") }
        #expect(throws: StoreError(code: .unknownAttribute)) { try store.sections(of: "Person", by: "ward") }
        #expect(throws: StoreError(code: .unsupported)) {
            try store.sections(of: "Person", sortedBy: [.ascending("secret")])
        }
    }

    @Test func endsWithItsTaskOrTheStore() async throws {
        let store = try store()
        let sections = try store.sections(of: "Person")
        let task = Task {
            var count = 0
            for try await _ in sections { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value <= 1)
        var lists = sections.makeAsyncIterator()
        _ = try await lists.next()
        try store.close()
        #expect(try await lists.next() == nil)
        #expect(try await lists.next() == nil)
    }

    // MARK: - Beside a plain model

    /// A row of the reference model.
    private struct Row: Equatable {
        var name: Int
        var section: Int?
    }

    private static func arranged(_ rows: [Int64: Row], sectionsFirst: Bool) -> [[Int64]] {
        func key(_ row: Row, _ number: Int64) -> [Int64] {
            (sectionsFirst ? [Int64(row.section ?? -1)] : []) + [Int64(row.name), number]
        }
        let sorted = rows.sorted { key($0.value, $0.key).lexicographicallyPrecedes(key($1.value, $1.key)) }
        var order: [Int?] = []
        for row in sorted where !order.contains(row.value.section) { order.append(row.value.section) }
        return order.map { section in sorted.filter { $0.value.section == section }.map(\.key) }
    }

    /// The minimum number of objects that must move: all except the longest increasing sequence, found by exhaustive
    /// search.
    private static func fewestMoves(_ old: [[Int64]], _ new: [[Int64]], kept: [(old: Int, new: Int)]) -> Int {
        let all = Set(old.joined()).intersection(new.joined()).count
        let staying = kept.reduce(0) { sum, pair in
            let places = new[pair.new].compactMap { old[pair.old].firstIndex(of: $0) }
            var longest: [Int] = []
            for (index, place) in places.enumerated() {
                longest.append(1 + (zip(places[..<index], longest).filter { $0.0 < place }.map(\.1).max() ?? 0))
            }
            return sum + (longest.max() ?? 0)
        }
        return all - staying
    }

    @Test(arguments: (0..<8).map { (seed: UInt64) in (seed, seed.isMultiple(of: 2)) })
    func changesTurnTheOldListIntoTheNewOne(seed: UInt64, sectionsFirst: Bool) async throws {
        let store = try store()
        var random = SeededGenerator(seed: seed)
        var rows: [Int64: Row] = [:]
        // Half of the runs use a sealed attribute, whose bytes carry no information.
        let isSealed = seed % 4 > 1 && !sectionsFirst
        let order: [SortKey] = (sectionsFirst ? [.ascending("age")] : []) + [.ascending("name")]
        var lists = try store.sections(of: "Person", sortedBy: order, by: isSealed ? "secret" : "age")
            .makeAsyncIterator()
        var old = arrangement(try #require(try await lists.next()))
        for step in 0..<130 {
            var changed: Set<Int64> = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let row = Row(
                    name: Int.random(in: 0..<12, using: &random),
                    section: Int.random(in: 0..<6, using: &random) == 0 ? nil : Int.random(in: 0..<4, using: &random)
                )
                let number = rows.keys.sorted().randomElement(using: &random)
                let kind = Int.random(in: 0..<(rows.count > 25 ? 4 : 8), using: &random)
                if let id = try Self.edit(store, number, row, kind, &rows) { changed.insert(id) }
            }
            let new = Self.arranged(rows, sectionsFirst: sectionsFirst)
            // Does not wait for an element if none is expected.
            guard !changed.allSatisfy({ id in !old.joined().contains(id) && rows[id] == nil }) else { continue }
            let list = try #require(try await lists.next())
            #expect(arrangement(list) == new, "step \(step)")
            #expect(try list.changes.applied(to: old, list) == new, "step \(step)")
            let kept = zip(
                old.indices.filter { !list.changes.deletedSections.contains($0) },
                new.indices.filter { !list.changes.insertedSections.contains($0) }
            )
            let least = Self.fewestMoves(old, new, kept: kept.map { (old: $0, new: $1) })
            #expect(list.changes.moved.count == least, "step \(step)")
            let moved = Set(list.changes.moved.map(\.id.number))
            let stayed = Set(old.joined()).intersection(new.joined()).intersection(changed).subtracting(moved)
            #expect(Set(list.changes.updated.map(\.id.number)) == stayed, "step \(step)")
            old = new
        }
    }

    /// Inserts, deletes, or changes a row in the store and in the reference model, or returns nil if nothing changes.
    private static func edit(
        _ store: Store,
        _ number: Int64?,
        _ row: Row,
        _ kind: Int,
        _ rows: inout [Int64: Row]
    ) throws -> Int64? {
        let name = String(UnicodeScalar(UInt8(97 + row.name)))
        let secret = row.section.map(String.init)
        guard let number, kind < 5 else {
            let id = try store.addPerson(name, age: row.section, secret: secret)
            rows[id.number] = row
            return id.number
        }
        guard kind == 0 || rows[number] != row else { return nil }
        try store.write { context in
            let person = try context.object(ObjectID(entity: "Person", number: number))
            guard kind > 0 else { return try context.delete(person) }
            try person.setValue(name, for: "name")
            try person.setValue(row.section, for: "age")
            try person.setValue(secret, for: "secret")
        }
        rows[number] = kind == 0 ? nil : row
        return number
    }
}
