import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Stores that need a key that is retired in the program's key ring.
@Suite(.eachEngine) struct RetiredKeyTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let old: EntityDescription
        let new: EntityDescription
        /// Whether the store opens without the key, as long as its seal does not need it either.
        let opens: Bool
        var version = 2
        var reencodes = false
        var steps: [MigrationStep] = []
        var children: [String] = []
    }

    private static let index = "text | blind-index(key: \"a\")"
    private static let narrow = "text | blind-index(key: \"a\", bits: 16)"
    private static let other = "text | blind-index(key: \"b\", bits: 16)"
    private static let title = AttributeDescription.string("title", .default(""))
    private static let both = CompoundProjection("both", of: ["ssn", "name"], "blind-index(key: \"a\")")

    private static func ssn(
        _ projections: String...,
        expression: String = "text | sealed(key: \"a\")",
        name: String = "ssn"
    ) -> AttributeDescription {
        var ssn = AttributeDescription.transformed(name, expression, as: String.self, .optional)
        ssn.projections = projections.enumerated().map { ProjectionDescription("p\($0)", $1) }
        if name != "ssn" { ssn.renamedFrom = "ssn" }
        return ssn
    }

    /// A value that is sealed with a key that is not retired.
    private static let name = ssn("text | blind-index(key: \"b\")", expression: "text | sealed(key: \"b\")")
        .named("name")

    private static func note(
        _ attributes: AttributeDescription...,
        projections: [CompoundProjection] = []
    ) -> EntityDescription {
        EntityDescription("Note", attributes: attributes, projections: projections)
    }

    private static let step = MigrationStep(from: 1, to: 2) { migration in
        try migration.context.forEach("Note") { note in
            let ssn = try migration.oldValue("ssn", of: note, as: String?.self)
            try note.setValue(ssn ?? "", for: "title")
        }
    }

    static let cases: [Case] = [
        Case(testDescription: "nothing changes", old: note(ssn(index)), new: note(ssn(index)), opens: true, version: 1),
        Case(
            testDescription: "an index changes in the same version",
            old: note(ssn(index)),
            new: note(ssn(narrow)),
            opens: true,
            version: 1
        ),
        Case(
            testDescription: "an index gets another key in the same version",
            old: note(ssn(index)),
            new: note(ssn(other)),
            opens: true,
            version: 1
        ),
        Case(
            testDescription: "an attribute is added",
            old: note(ssn(index)),
            new: note(ssn(index), title),
            opens: false
        ),
        Case(
            testDescription: "an attribute is added beside several indexes",
            old: note(ssn(index, other), name),
            new: note(ssn(index, other), name, title),
            opens: false
        ),
        Case(
            testDescription: "it is renamed",
            old: note(ssn(index)),
            new: note(ssn(index, name: "number")),
            opens: false
        ),
        Case(testDescription: "an index is added", old: note(ssn()), new: note(ssn(index)), opens: false),
        Case(testDescription: "nothing has an index", old: note(ssn()), new: note(ssn(), title), opens: true),
        Case(testDescription: "it is dropped", old: note(ssn(index), title), new: note(title), opens: true),
        Case(
            testDescription: "it is sealed in another way",
            old: note(ssn(index), name),
            new: note(ssn(index, expression: "text | sealed(key: \"b\", deterministic: true)"), name),
            opens: false,
            reencodes: true
        ),
        Case(
            testDescription: "it is plain from now on",
            old: note(ssn(), title),
            new: note(.string("ssn", .optional), title),
            opens: false,
            reencodes: true
        ),
        Case(
            testDescription: "an index of two attributes is added",
            old: note(ssn(), name),
            new: note(ssn(), name, projections: [both]),
            opens: false
        ),
        Case(
            testDescription: "an index of two attributes stays",
            old: note(ssn(), name, projections: [both]),
            new: note(ssn(), name, title, projections: [both]),
            opens: false
        ),
        Case(
            testDescription: "children have it",
            old: note(ssn(index, other)),
            new: note(ssn(index, other), title),
            opens: false,
            children: ["Letter", "Memo"]
        ),
        Case(
            testDescription: "only an index needs the key",
            old: note(.string("ssn", .optional, .projected(index, as: "p0"))),
            new: note(.string("ssn", .optional, .projected(index, as: "p0")), title),
            opens: true
        ),
    ]

    static let stepCase = Case(
        testDescription: "a step reads it",
        old: note(ssn(index), title),
        new: note(title),
        opens: false,
        steps: [step]
    )

    /// A store with rows under a key that was rotated and then retired.
    struct Retired {
        let folder: Folder
        let test: Case
        let old: KeyID
        let rings: (first: KeyRing, rotated: KeyRing, retired: KeyRing)

        init(_ test: Case, isSealRenewed: Bool) throws {
            folder = try Folder()
            self.test = test
            let first = try KeyRing.empty.addingKey(named: "a").addingKey(named: "b")
            old = try #require(first.generations(of: "a").first).id
            let rotated = try first.rotatingKey(named: "a")
            rings = try (first, rotated, rotated.retiringUnchecked(old))
            let store = try open(rings.first, model(test.old, 1))
            try store.write { context in
                for text in ["x", "y", "z"] {
                    let note = try context.insert(test.children.first ?? "Note")
                    try note.setValue(text, for: "ssn")
                    if test.old.attribute("name") != nil { try note.setValue("n\(text)", for: "name") }
                }
            }
            try store.close()
            guard isSealRenewed else { return }
            let renewed = try open(rings.rotated, model(test.old, 1))
            try renewed.write { try $0.insert(test.children.last ?? "Note").setValue("w", for: "ssn") }
            try renewed.renewOutdatedSeal()
            try renewed.close()
        }

        func model(_ entity: EntityDescription, _ version: Int) throws -> Model {
            let children = test.children.map { EntityDescription($0, parent: "Note") }
            return try Model(version: version, entities: [entity] + children)
        }

        func open(_ ring: KeyRing, _ model: Model, _ options: Store.Options = Store.Options()) throws -> Store {
            let registry = try TransformerRegistry {
                StandardPlugin()
                EncryptionPlugin(keys: ring)
            }
            return try Store.trial(
                at: folder.file(),
                model: model,
                transformers: registry,
                options: options,
                migrations: test.steps
            )
        }

        /// Returns the error of opening the store with the ring in which the key is retired, or nil if the store opens.
        func failure() throws -> (any Error)? {
            let model = try model(test.new, test.version)
            let options = Store.Options(changedTransformers: test.reencodes ? .reencode : .refuse)
            do {
                try open(rings.retired, model, options).close()
                return nil
            } catch {
                return error
            }
        }
    }

    @Test(arguments: cases, [true, false]) func everyOpeningReportsTheSameError(test: Case, isSealRenewed: Bool) throws
    {
        try Self.requireSameErrors(test, isSealRenewed: isSealRenewed)
    }

    @Test(arguments: [true, false])
    func everyOpeningWithAStepReportsTheSameError(isSealRenewed: Bool) throws {
        try Self.requireSameErrors(Self.stepCase, isSealRenewed: isSealRenewed)
    }

    private static func requireSameErrors(_ test: Case, isSealRenewed: Bool) throws {
        let store = try Retired(test, isSealRenewed: isSealRenewed)
        let failures = try (0..<3).map { _ in try store.failure() }
        #expect(Set(failures.map { $0.map { "\($0)" } }).count == 1)
        // A seal that was not renewed needs the key in any case.
        guard !test.opens || !isSealRenewed else {
            #expect(failures[0] == nil)
            return
        }
        let error = try #require(failures[0] as? StoreError)
        #expect(error.transformerError?.code.rawValue == "retired-key", "\(error)")
        let text = ([error.description] + error.faults).joined(separator: "\n")
        #expect(text.contains("\(store.old)"), "\(error)")
        // When the key is active again, the store opens.
        let model = try store.model(test.new, test.version)
        let options = Store.Options(changedTransformers: test.reencodes ? .reencode : .refuse)
        let opened = try store.open(store.rings.rotated, model, options)
        #expect(try opened.verify().isSound)
    }

    // A damaged value prevents an index from being computed. A missing key takes precedence, wherever the damaged value
    // is.
    @Test(.sqliteOnly("SQLite’s shell uses the file."), arguments: [1, 3]) func damageDoesNotHideTheKey(row: Int) throws
    {
        let test = Case(
            testDescription: "",
            old: Self.note(Self.ssn(Self.index)),
            new: Self.note(Self.ssn(Self.index), Self.title),
            opens: false
        )
        let store = try Retired(test, isSealRenewed: true)
        try shell(store.folder.file()) { try $0.execute(sql: "UPDATE Note SET ssn = x'00ff' WHERE _id = \(row)") }
        let error = try #require(store.failure() as? StoreError)
        #expect(error.transformerError?.code.rawValue == "retired-key")
    }
}

extension AttributeDescription {
    fileprivate func named(_ name: String) -> Self {
        var copy = self
        copy.name = name
        copy.projections = projections.map { ProjectionDescription("\(name)_\($0.name)", $0.transformer) }
        return copy
    }
}
