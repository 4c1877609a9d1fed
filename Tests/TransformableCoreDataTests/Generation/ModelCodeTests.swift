import Foundation
import Testing
import TransformableCoreData
import TransformableModel

@Suite struct ModelCodeTests {
    private static let clinic = """
        {"transformableModel": 1, "version": 2, "entities": [
            {"name": "Patient", "renamedFrom": "Client", "unique": [["name", "born"]],
             "indexes": [[{"name": "born", "descending": true}, "name"]], "attributes": [
                {"name": "name", "type": "string"},
                {"name": "born", "type": "date", "indexed": true},
                {"name": "weight", "type": "double", "optional": true, "minimum": 0},
                {"name": "bed", "transformer": "rect", "optional": true}
            ], "relationships": [
                {"name": "visits", "to": "Visit", "many": true, "inverse": "patient", "deleteRule": "cascade"}
            ]},
            {"name": "Visit", "attributes": [{"name": "reason", "type": "string", "default": "checkup"}],
             "relationships": [{"name": "patient", "to": "Patient", "inverse": "visits", "optional": false}]}
        ]}
        """

    @Test func writesAClassForEachEntity() throws {
        let code = ModelCode(of: try Model(json: Data(Self.clinic.utf8)), named: "Clinic")
        #expect(
            code.files.map(\.name) == [
                "Patient.generated.swift", "Visit.generated.swift", "ClinicSchema.generated.swift",
            ]
        )
        #expect(
            code.files[0].text == #"""
                // Generated from the model “Clinic”. Do not edit: write your own code in extensions, in other files.
                // swift-format-ignore-file
                // swiftlint:disable all

                import Foundation
                import TransformableEntities

                @Entity(renamedFrom: "Client", unique: [["name", "born"]], indexes: [[.descending("born"), .ascending("name")]])
                nonisolated final class Patient {
                    var name: String
                    @Attribute(.indexed) var born: Date
                    @Attribute(.range((0)...)) var weight: Double?
                    @Attribute(transformer: "rect") var bed: CGRect?
                    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit]

                    init(name: String, born: Date) {
                        self.name = name
                        self.born = born
                    }
                }

                """#
        )
        #expect(code.files[1].text.contains("    var reason: String = \"checkup\"\n"))
        #expect(code.files[1].text.contains("    @Relationship(isRequired: true) var patient: Patient?\n"))
        #expect(code.files[2].text.contains("static let version = 2"))
        #expect(code.notes == [])
    }

    @Test func codeIsDeterministic() throws {
        let model = try Model(json: Data(Self.clinic.utf8))
        let first = ModelCode(of: model, named: "Clinic")
        for _ in 0..<10 {
            let next = ModelCode(of: model, named: "Clinic")
            #expect(next.files == first.files)
            #expect(next.singleFile == first.singleFile)
        }
    }

    @Test func followsTheMap() throws {
        var map = ModelMap()
        map.access = .public
        map.classes = ["Patient": "PatientRecord"]
        map.types = ["rect": "Area", "Visit.reason": "Reason"]
        map.initialValues = ["Visit.reason": ".checkup"]
        map.imports = ["Areas"]
        let code = ModelCode(of: try Model(json: Data(Self.clinic.utf8)), named: "Clinic", map: map)
        let text = code.singleFile.text
        #expect(text.contains("public import Areas\npublic import Foundation\npublic import TransformableEntities\n"))
        #expect(text.contains("@Entity(\"Patient\", renamedFrom: "))
        #expect(text.contains("public nonisolated final class PatientRecord {"))
        #expect(text.contains("@Attribute(transformer: \"rect\") public var bed: Area?"))
        #expect(text.contains("@Attribute(.default(\"checkup\")) public var reason: Reason = .checkup"))
        #expect(text.contains("public init(name: String, born: Date)"))
    }

    @Test func notesUnknownNamesInTheMap() throws {
        var map = ModelMap()
        map.classes = ["Patient": "PatientRecord", "Doctor": "DoctorRecord"]
        map.types = ["rect": "Area", "Visit.reason": "Reason", "Visit.raeson": "Reason", "[Color]": "Colors"]
        map.initialValues = ["Visit.reason": ".checkup", "Reason": ".checkup"]
        let code = ModelCode(of: try Model(json: Data(Self.clinic.utf8)), named: "Clinic", map: map)
        #expect(
            code.notes.suffix(4).map(\.description) == [
                "the map gives “Doctor” a class, but the model has no such entity",
                "the map gives “Visit.raeson” a type, but the model has no such attribute, transformer, or class",
                "the map gives “[Color]” a type, but the model has no such attribute, transformer, or class",
                "the map gives “Reason” an initial value, but the model has no such attribute",
            ]
        )
    }

    @Test(arguments: [("Int", "IntEntity"), ("Type", "TypeEntity"), ("Image", "Image"), ("Task", "Task")])
    func namesClasses(_ entity: String, _ name: String) throws {
        let model = try Model(entities: [EntityDescription(entity, attributes: [.int16("number")])])
        let code = ModelCode(of: model, named: "App")
        #expect(code.files[0].name == "\(name).generated.swift")
        #expect(code.files[0].text.contains("final class \(name) {"))
        #expect(code.notes.count == (name == entity ? 0 : 1))
    }

    @Test func qualifiesNamesThatClash() throws {
        let entities = [
            EntityDescription("CGRect", attributes: [.transformed("bed", "rect")]), EntityDescription("Store"),
            EntityDescription("Entity"), EntityDescription("Model"),
        ]
        let text = ModelCode(of: try Model(entities: entities), named: "App").singleFile.text
        #expect(text.contains("var bed: Foundation.CGRect\n"))
        #expect(text.contains("@TransformableEntities.Entity\nnonisolated final class Entity {"))
        #expect(text.contains("throws -> TransformableStore.Store {"))
        #expect(text.contains("static func model() throws -> TransformableModel.Model {"))
    }

    /// The initializer of a child also takes the values of its parents, whose types other modules declare.
    @Test(arguments: ["Dog", "Puppy"]) func importsTheModulesOfInheritedValues(child: String) throws {
        let model = try Model(entities: [
            EntityDescription("Animal", attributes: [.date("born"), .transformed("notes", "keyed-archive")]),
            EntityDescription("Dog", parent: "Animal"), EntityDescription("Puppy", parent: "Dog"),
        ])
        let file = ModelCode(of: model, named: "Zoo").files.first { $0.name == "\(child).generated.swift" }
        let text = try #require(file?.text)
        #expect(text.contains("import Foundation\nimport KeyedArchivePlugin\nimport TransformableEntities\n"))
        #expect(text.contains("init(born: Date, notes: ArchivedValue) {"))
    }

    @Test func omitsWhatClassesCannotDeclare() throws {
        var entity = EntityDescription(
            "Box",
            attributes: [.string("persistentID"), .transformed("colors", "acme.colors"), .string("name")],
            relationships: [.toMany("near", "Box", inverse: "near")],
            projections: [CompoundProjection("all", of: ["name", "persistentID"], "blind-index")]
        )
        entity.indexes = [
            [.ascending("name"), .descending("persistentID")], [.ascending("all")], [.descending("name")],
        ]
        entity.uniqueness = [["name", "persistentID"]]
        let code = ModelCode(of: try Model(entities: [entity]), named: "App")
        #expect(
            code.notes.map(\.description) == [
                "Box.persistentID: left out the property, because classes cannot have a property with this name; "
                    + "rename it in the model",
                "Box.colors: the Swift type of the transformer “acme.colors” is unknown, so the property is Data; add "
                    + "the type to “types” in a map",
                "Box.near: generated without an inverse, because classes cannot declare a relationship as its "
                    + "own inverse",
                "Box.all: left out the projection, because the class lacks some of its attributes",
                "Box: left out the uniqueness rule for name, persistentID, because the class lacks some of "
                    + "these properties",
                "Box: left out the index of name, persistentID, because the class lacks some of these properties",
                "Box: left out the index of all, because the class lacks some of these properties",
            ]
        )
        #expect(!code.files[0].text.contains("var persistentID"))
        #expect(code.files[0].text.contains("@Entity(indexes: [[.descending(\"name\")]])\n"))
        #expect(code.files[0].text.contains("@Attribute(transformer: \"acme.colors\") var colors: Data\n"))
    }

    @Test func declaresProjectionsOfSeveralAttributes() throws {
        var box = EntityDescription("Box", attributes: [.string("name"), .string("place"), .integer("size")])
        box.projections = [
            CompoundProjection("where", of: [.init("name", through: "lowercase"), "place"], "blind-index(bits: 12)"),
            CompoundProjection("all", of: ["place", "size"], "sha256", indexed: false, reveals: true),
        ]
        box.indexes = [[.ascending("all"), .ascending("size")]]
        let code = ModelCode(of: try Model(entities: [box]), named: "App")
        #expect(code.notes.isEmpty)
        let expected = #"""
            @Entity(indexes: [[.ascending("all"), .ascending("size")]], projections: [.init("where", of: [.init("name", \#
            through: "lowercase"), "place"], "blind-index(bits: 12)"), .init("all", of: ["place", "size"], "sha256", \#
            indexed: false, reveals: true)])

            """#
        #expect(code.files[0].text.contains(expected))
    }

    @Test func declaresDerivedAttributes() throws {
        let box = EntityDescription(
            "Box",
            attributes: [
                .string("name"), .string("search", .derived(.folded("name")), .indexed),
                .date("changed", .derived(.dateOfChange)), .string("key", .optional, .derived(.uppercased("name"))),
                .string("code", .derived(.lowercased("name"))), .int16("innerCount", .derived(.count(of: "inner"))),
            ],
            relationships: [.toMany("inner", "Box")]
        )
        var map = ModelMap()
        map.types = ["Box.code": "Code"]
        let code = ModelCode(of: try Model(entities: [box]), named: "App", map: map)
        let expected = #"""
                var name: String
                @Attribute(.derived(.folded("name")), .indexed) private(set) var search: String = ""
                @Attribute(.derived(.dateOfChange)) private(set) var changed: Date = .distantPast
                @Attribute(.derived(.uppercased("name"))) private(set) var key: String?
                @Attribute(.derived(.lowercased("name"))) private(set) var code: Code?
                var innerCount: Int16 { Int16(clamping: inner.count) }

            """#
        #expect(code.files[0].text.contains(expected))
        let note = "became optional, because it has no initial value; add one to “initialValues” in a map"
        #expect(code.notes.map(\.description) == ["Box.code: \(note)"])
    }

    @Test func keepsTransientRelationshipsInMemory() throws {
        let json = """
            {"transformableModel": 1, "entities": [{"name": "Box", "transientRelationships": [
                {"name": "last", "to": "Box"}, {"name": "seen", "to": "Box", "many": true}
            ]}]}
            """
        let text = ModelCode(of: try Model(json: Data(json.utf8)), named: "App").files[0].text
        #expect(text.contains("    @Transient var last: Box?\n    @Transient var seen: [Box] = []\n"))
    }

    @Test func escapesTextFromTheModel() throws {
        var entity = EntityDescription(
            "Box",
            attributes: [.string("text", .default("\"\\(exit(1))\"\n\u{202E}"), .pattern("[\"\\\\]"))]
        )
        entity.renamedFrom = "a\"b"
        let text = ModelCode(of: try Model(entities: [entity]), named: "A\nB*/ \"c").singleFile.text
        #expect(text.contains(#"var text: String = "\"\\(exit(1))\"\n\u{202e}""#))
        #expect(text.contains(#".pattern("[\"\\\\]")"#))
        #expect(text.contains(#"@Entity(renamedFrom: "a\"b")"#))
        #expect(text.hasPrefix("// Generated from the model “A�B*/ \"c”. Do not edit"))
        #expect(text.contains("enum ABCSchema {"))
    }
}
