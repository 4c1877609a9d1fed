import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import _HostileInputs

/// Models in JSON from strangers, with everything that a model can declare.
@Suite struct HostileModelTests {
    private static let json = Data(
        """
        { "transformableModel": 1, "entities": [
            { "name": "A", "attributes": [
              { "name": "a", "type": "string" }, { "name": "b", "type": "date", "optional": true },
              { "name": "c", "type": "string", "derived": "lowercase:(a)" }, { "name": "d", "type": "date", "derived": "now()" },
              { "name": "e", "type": "int64", "derived": "r.@count" } ],
              "composites": [{ "name": "p", "parts": [{ "name": "x", "transformer": "text", "optional": true }] }],
              "relationships": [{ "name": "r", "to": "B", "many": true, "inverse": "s" }],
              "transientRelationships": [{ "name": "t", "to": "B" }],
              "indexes": [["a", { "name": "b", "descending": true }], ["c"]] },
            { "name": "B", "relationships": [{ "name": "s", "to": "A" }], "indexes": [["s"]] } ],
          "fetchRequests": [{ "name": "q", "entity": "A", "where": "a == $a or e in $e", "sortedBy": ["c"], "limit": 1 }] }
        """
        .utf8
    )

    @Test(arguments: 0..<4 as Range<UInt64>)
    func aDamagedModelIsReadOrRejected(_ seed: UInt64) throws {
        _ = try Model(json: Self.json)
        var random = SeededGenerator(seed: seed)
        let registry = try TransformerRegistry { Registration.text }
        for _ in 0..<400 {
            var bytes = Self.json
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let other = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = bytes[other]
                case 1: bytes.swapAt(place, other)
                default: bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)], at: place)
                }
            }
            guard let model = try? Model(json: bytes) else { continue }
            #expect(try Model(json: model.json) == model)
            // What the model says can be made, or is refused before the database rejects it.
            do {
                _ = try Store.inMemory(model: model, transformers: registry)
            } catch let error as StoreError {
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(![.statementFailed, .corruptFile].contains(error.code), "\(error): \(text)")
            }
        }
    }

    /// A parent, and children with relationships to it, each of which has a column for every child.
    private func family(children: Int, relationships: Int, attributes: Int) throws -> Model {
        let parent = EntityDescription(
            "Parent",
            abstract: true,
            attributes: (0..<attributes).map { .string("a\($0)") },
            relationships: (0..<relationships).map { .toOne("r\($0)", "Parent") }
        )
        return try Model(entities: [parent] + (0..<children).map { EntityDescription("E\($0)", parent: "Parent") })
    }

    /// SQLite's tables can have 2,000 columns, two of which contain an object's number and version.
    @Test func countsTheColumnsOfReferencesToAFamily() throws {
        let registry = try TransformerRegistry { Registration.text }
        try Store.validate(family(children: 5, relationships: 399, attributes: 3), transformers: registry)
        let large = try family(children: 5, relationships: 399, attributes: 4)
        let error = #expect(throws: StoreError.self) { try Store.validate(large, transformers: registry) }
        #expect(error?.code == .limitExceeded && error?.entity == "E0")
        #expect(error?.message.contains("would have 2001 columns") == true, "\(String(describing: error))")
    }

    @Test(.timeLimit(.minutes(1))) func refusesManyColumnsBeforeTheyAreMade() throws {
        let model = try family(children: 300, relationships: 100, attributes: 0)
        let error = #expect(throws: StoreError.self) {
            try Store.inMemory(model: model, transformers: TransformerRegistry { Registration.text })
        }
        #expect(error?.code == .limitExceeded)
    }

    /// SQLite would need minutes to create 78,400 indexes.
    @Test(.timeLimit(.minutes(1))) func refusesManyIndexesBeforeTheyAreMade() throws {
        let model = try family(children: 40, relationships: 49, attributes: 0)
        let error = #expect(throws: StoreError.self) {
            try Store.inMemory(model: model, transformers: TransformerRegistry { Registration.text })
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("would have 78400 indexes") == true, "\(String(describing: error))")
    }

    /// Looking at all entities for each relationship of each entity would take minutes.
    @Test(.timeLimit(.minutes(1))) func checksManyEntitiesWithManyAncestors() throws {
        let entities = (0..<500)
            .map { index in
                let isTopmost = index.isMultiple(of: 100)
                return EntityDescription(
                    "E\(index)",
                    parent: isTopmost ? nil : "E\(index - 1)",
                    relationships: isTopmost ? (0..<30).map { .toOne("r\($0)", "Other") } : []
                )
            }
        let model = try Model(entities: [EntityDescription("Other")] + entities)
        try Store.validate(model, transformers: TransformerRegistry { Registration.text })
    }
}
