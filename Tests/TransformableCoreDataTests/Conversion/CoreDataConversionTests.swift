import Foundation
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

struct CoreDataConversionTests {
    /// Returns the conversion of a model with the entity `E`, whose contents are given, and an entity `Other`.
    static func convert(
        _ contents: String,
        other: String = "",
        map: ModelMap = ModelMap()
    ) throws -> (entity: EntityDescription, notes: [String]) {
        let xml = "<model><entity name=\"E\">\(contents)</entity><entity name=\"Other\">\(other)</entity></model>"
        let conversion = try CoreDataModel(xml: Data(xml.utf8)).converted(map: map)
        return (try #require(conversion.model.entity("E")), conversion.notes.map(\.description))
    }

    @Test(arguments: [
        ("Integer 16", AttributeType.int16), ("Integer 32", .int32), ("Integer 64", .int64), ("Decimal", .decimal),
        ("Double", .double), ("Float", .float), ("String", .string), ("Boolean", .boolean), ("Date", .date),
        ("Binary", .data), ("UUID", .uuid), ("URI", .url), ("Transformable", .transformed),
    ])
    func convertsTypes(name: String, type: AttributeType) throws {
        let (entity, notes) = try Self.convert("<attribute name=\"a\" attributeType=\"\(name)\"/>")
        #expect(entity.attribute("a")?.type == type && entity.attribute("a")?.isOptional == false)
        #expect(notes.isEmpty)
    }

    @Test func convertsTransientRelationships() throws {
        let (entity, notes) = try Self.convert(
            """
            <relationship name="drafts" toMany="YES" destinationEntity="Other" transient="YES" \
            inverseName="owner" inverseEntity="Other"/>
            <relationship name="last" maxCount="1" destinationEntity="Other" transient="YES"/>
            """,
            other: "<relationship name=\"owner\" maxCount=\"1\" destinationEntity=\"E\" transient=\"YES\"/>"
        )
        #expect(
            entity.transientRelationships == [
                TransientRelationship("drafts", to: "Other", many: true), TransientRelationship("last", to: "Other"),
            ]
        )
        #expect(entity.relationships.isEmpty)
        #expect(notes == ["E.drafts: is transient, so the program has to set the inverse “owner”"])
    }

    @Test func convertsTransientAttributeOfUnknownType() throws {
        let (entity, notes) = try Self.convert("<attribute name=\"a\" optional=\"YES\" transient=\"YES\"/>")
        #expect(entity.attribute("a")?.type == .undefined && entity.attribute("a")?.isTransient == true)
        #expect(notes.isEmpty)
    }

    @Test(arguments: [
        ("Boolean", "YES", DefaultValue.boolean(true)), ("Integer 16", "0.0", .integer(0)), ("Double", "1.5", 1.5),
        ("Double", "2.0", .integer(2)), ("Decimal", "0.10", "0.1"), ("String", "", ""),
        ("URI", "https://a.example/b", "https://a.example/b"),
    ])
    func convertsDefaults(type: String, text: String, value: DefaultValue) throws {
        let (entity, _) = try Self.convert(
            "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
        )
        #expect(entity.attribute("a")?.defaultValue == value)
    }

    @Test func convertsDefaultDate() throws {
        let (entity, _) = try Self.convert(
            "<attribute name=\"a\" attributeType=\"Date\" defaultDateTimeInterval=\"86400.5\"/>"
        )
        #expect(entity.attribute("a")?.defaultValue == "2001-01-02T00:00:00.5Z")
    }

    @Test(arguments: [("Integer 16", "many"), ("Boolean", "perhaps"), ("Decimal", "NaN"), ("Transformable", "x")])
    func notesDefaultsThatDoNotFit(type: String, text: String) throws {
        let (entity, notes) = try Self.convert(
            "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
        )
        #expect(entity.attribute("a")?.defaultValue == nil)
        #expect(notes == ["E.a: dropped the default “\(text)”, which does not fit the type"])
    }

    @Test func convertsRules() throws {
        let (entity, notes) = try Self.convert(
            """
            <attribute name="n" attributeType="Integer 64" minValueString="0" maxValueString="9007199254740993"/>
            <attribute name="s" attributeType="String" minValueString="1" maxValueString="8"
                regularExpressionString="[a-z]+"/>
            <attribute name="t" attributeType="String" regularExpressionString="("/>
            """
        )
        #expect(entity.attribute("n")?.validation == ValidationRules(minimum: 0))
        let rules = ValidationRules(minimumLength: 1, maximumLength: 8, pattern: "[a-z]+")
        #expect(entity.attribute("s")?.validation == rules)
        #expect(notes == ["E.n: dropped the maximum 9007199254740993", "E.t: dropped the pattern “(”"])
    }

    @Test func convertsNamesAndStorage() throws {
        let (entity, notes) = try Self.convert(
            """
            <attribute name="a" attributeType="Binary" optional="YES" allowsExternalBinaryDataStorage="YES"
                elementID="b" versionHashModifier="2"/>
            """
        )
        let attribute = try #require(entity.attribute("a"))
        #expect(attribute.externalThreshold == 100_000 && attribute.renamedFrom == "b" && attribute.isOptional)
        #expect(attribute.userInfo == ["coredata.versionHashModifier": "2"])
        #expect(notes == ["E.a: kept the version hash modifier “2” as userInfo"])
    }

    // MARK: - Transformers

    private static let transformed = """
        <attribute name="a" optional="YES" attributeType="Transformable"
            valueTransformerName="ColorsTransformer" customClassName="[Color]"/>
        """

    @Test func keepsBytesOfUnknownTransformers() throws {
        let (entity, notes) = try Self.convert(Self.transformed)
        let attribute = try #require(entity.attribute("a"))
        #expect(attribute.type == .data && attribute.transformer == nil)
        #expect(attribute.userInfo == ["coredata.transformer": "ColorsTransformer", "coredata.className": "[Color]"])
        #expect(
            notes == [
                "E.a: the transformer “ColorsTransformer” belongs to the app, so the bytes are kept as data; "
                    + "to decode them, add an expression for it to “transformers” in a map"
            ]
        )
    }

    @Test(arguments: [
        ["ColorsTransformer": "acme.colors", "[Color]": "other"], ["[Color]": "acme.colors"],
        ["E.a": "acme.colors", "ColorsTransformer": "other"],
    ])
    func mapsTransformers(transformers: [String: String]) throws {
        var map = ModelMap()
        map.transformers = transformers
        let (entity, notes) = try Self.convert(Self.transformed, map: map)
        #expect(entity.attribute("a")?.type == .transformed && entity.attribute("a")?.transformer == "acme.colors")
        #expect(notes.isEmpty)
    }

    @Test func notesExpressionsOfUnknownNames() throws {
        var map = ModelMap()
        map.transformers = ["ColorsTransformer": "acme.colors", "E.b": "acme.colors", "Colors": "acme.colors"]
        let (_, notes) = try Self.convert(Self.transformed, map: map)
        let reason = "an expression, but no transformable or binary attribute, transformer, or class has that name"
        #expect(notes == ["the map gives “Colors” \(reason)", "the map gives “E.b” \(reason)"])
    }

    @Test(arguments: ["", "3"]) func notesVersionIdentifiersUnlessTheyAreEmpty(identifier: String) throws {
        var model = CoreDataModel(entities: [CoreDataEntity("E")])
        model.versionIdentifiers = [identifier]
        let notes = try model.converted().notes.map(\.description)
        #expect(notes == (identifier.isEmpty ? [] : ["dropped the version identifier “3”"]))
    }

    // MARK: - Relationships

    @Test func convertsRelationships() throws {
        let (entity, notes) = try Self.convert(
            """
            <relationship name="many" toMany="YES" ordered="YES" maxCount="9" deletionRule="Deny"
                destinationEntity="Other" inverseName="one"/>
            """,
            other: """
                <relationship name="one" optional="YES" maxCount="1" deletionRule="No Action"
                    destinationEntity="E" inverseName="many"/>
                """
        )
        var expected = RelationshipDescription.toMany("many", "Other", ordered: true, inverse: "one", deleteRule: .deny)
        (expected.minimumCount, expected.maximumCount) = (1, 9)
        #expect(entity.relationships == [expected] && notes.isEmpty)
    }

    @Test func dropsTheLaterOfTwoClaimsToAnInverse() throws {
        let (entity, notes) = try Self.convert(
            """
            <relationship name="first" optional="YES" maxCount="1" destinationEntity="Other" inverseName="back"/>
            <relationship name="second" optional="YES" maxCount="1" destinationEntity="Other" inverseName="back"/>
            """,
            other: """
                <relationship name="back" optional="YES" maxCount="1" destinationEntity="E" inverseName="first"/>
                """
        )
        #expect(entity.relationships.map(\.inverse) == ["back", nil])
        #expect(notes == ["E.second: dropped the inverse “back”, because its own inverse is “first”"])
    }

    @Test func notesInversesThatOnlyOneSideStates() throws {
        let (entity, notes) = try Self.convert(
            """
            <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Other" inverseName="things" \
            inverseEntity="Other"/>
            """,
            other: "<relationship name=\"things\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"E\"/>"
        )
        #expect(entity.relationships.map(\.inverse) == ["things"])
        #expect(notes == ["E.owner: “things” states no inverse, so this became its inverse"])
    }

    @Test func givesAnInverseThatStatesNoneToOneRelationship() throws {
        let (entity, notes) = try Self.convert(
            """
            <relationship name="first" optional="YES" maxCount="1" destinationEntity="Other" inverseName="back"/>
            <relationship name="second" optional="YES" maxCount="1" destinationEntity="Other" inverseName="back"/>
            """,
            other: "<relationship name=\"back\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"E\"/>"
        )
        #expect(entity.relationships.map(\.inverse) == ["back", nil])
        #expect(
            notes == [
                "E.first: “back” states no inverse, so this became its inverse",
                "E.second: dropped the inverse “back”, because another relationship has it already",
            ]
        )
    }

    @Test func dropsAnInverseOfItselfThatLeadsOnlyToChildren() throws {
        let xml = """
            <model><entity name="E">
                <relationship name="r" optional="YES" maxCount="1" destinationEntity="Child" inverseName="r"/>
            </entity><entity name="Child" parentEntity="E"/></model>
            """
        let conversion = try CoreDataModel(xml: Data(xml.utf8)).converted()
        #expect(conversion.model.entity("E")?.relationships.map(\.inverse) == [nil])
        let text = "E.r: dropped the inverse “r”, because its destination is “Child”"
        #expect(conversion.notes.map(\.description) == [text])
        try Store.inMemory(model: conversion.model, transformers: TransformerRegistry {}).close()
    }

    /// Only data can be in files.
    @Test func ignoresExternalStorageOfOtherTypes() throws {
        let (entity, notes) = try Self.convert(
            """
            <attribute name="a" attributeType="String" allowsExternalBinaryDataStorage="YES"/>
            <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex>
            """
        )
        #expect(entity.attribute("a")?.externalThreshold == nil && entity.attribute("a")?.isIndexed == true)
        #expect(notes.isEmpty)
    }

    @Test func dropsRelationshipsToMissingEntities() throws {
        let (entity, notes) = try Self.convert(
            "<relationship name=\"r\" maxCount=\"1\" destinationEntity=\"Nobody\"/>"
        )
        #expect(entity.relationships.isEmpty)
        #expect(notes == ["E.r: was dropped, because its destination “Nobody” is not in the model"])
    }

    /// Patterns that are valid alone, but not with anything after them.
    @Test(arguments: [#"\Qabc"#, "(?x)a+ # letters"])
    func dropsPatternsThatCannotMatchWholeText(pattern: String) throws {
        let (entity, notes) = try Self.convert(
            "<attribute name=\"a\" attributeType=\"String\" regularExpressionString=\"\(pattern)\"/>"
        )
        #expect(entity.attribute("a")?.validation.pattern == nil)
        #expect(notes == ["E.a: dropped the pattern “\(pattern)”"])
    }

    // MARK: - Composites

    @Test func convertsCompositesOfSwiftData() throws {
        var raw = CoreDataAttribute(
            "state",
            .composite,
            elements: [CoreDataAttribute("state", .string, optional: true)]
        )
        raw.userInfo = ["EnumType": "1"]
        let inner = CoreDataAttribute("at", .composite, optional: true, elements: [CoreDataAttribute("x", .double)])
        let outer = CoreDataAttribute(
            "place",
            .composite,
            elements: [CoreDataAttribute("name", .string, optional: true), inner]
        )
        let conversion = try CoreDataModel(entities: [CoreDataEntity("E", attributes: [raw, outer])]).converted()
        let entity = try #require(conversion.model.entity("E"))
        #expect(entity.attributes.map(\.name) == ["state"] && entity.attributes[0].type == .string)
        #expect(!entity.attributes[0].isOptional)
        #expect(entity.composites.map(\.name) == ["place"])
        #expect(entity.composites[0].parts.map(\.name) == ["name", "at_x"])
    }

    // MARK: - Entities

    /// An inverse may be declared by an ancestor of the destination, but must lead only to objects with the relationship.
    @Test(arguments: [
        ("Animal", "Dog", ["Animal.owner: dogs", "Person.dogs: owner"]),
        ("Dog", "Animal", ["Dog.owner: dropped the inverse “dogs”, because its destination is “Animal”"]),
    ])
    func keepsInversesBetweenParentsAndChildren(owned: String, destination: String, expected: [String]) throws {
        let owner = """
            <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="dogs"/>
            """
        let back = owned == "Animal" ? "inverseName=\"owner\"" : ""
        let xml = """
            <model><entity name="Animal">\(owned == "Animal" ? owner : "")</entity>
            <entity name="Dog" parentEntity="Animal">\(owned == "Dog" ? owner : "")</entity>
            <entity name="Person">
                <relationship name="dogs" optional="YES" toMany="YES" destinationEntity="\(destination)" \(back)/>
            </entity></model>
            """
        let conversion = try CoreDataModel(xml: Data(xml.utf8)).converted()
        let inverses = conversion.model.entities.flatMap { entity in
            entity.relationships.compactMap { relationship in
                relationship.inverse.map { "\(entity.name).\(relationship.name): \($0)" }
            }
        }
        #expect(inverses + conversion.notes.map(\.description) == expected)
    }

    @Test func convertsDerivedAttributes() throws {
        let (entity, notes) = try Self.convert(
            """
            <attribute name="name" attributeType="String" optional="YES"/>
            <attribute name="search" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
            <attribute name="size" attributeType="Integer 64" optional="YES" derived="YES" defaultValueString="0"
                derivationExpression="parts.@count"/>
            <attribute name="changed" attributeType="Date" derived="YES" derivationExpression="now()"/>
            <attribute name="total" attributeType="Double" derived="YES" derivationExpression="parts.@sum.price"/>
            <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Other"/>
            """
        )
        #expect(entity.attribute("search")?.derivation == .folded("name"))
        #expect(entity.attribute("search")?.isOptional == true)
        #expect(entity.attribute("size")?.derivation == .count(of: "parts"))
        #expect(entity.attribute("size")?.isTransient == true && entity.attribute("size")?.defaultValue == nil)
        #expect(entity.attribute("changed")?.derivation == .dateOfChange)
        #expect(entity.attribute("total")?.derivation == nil)
        #expect(entity.attribute("total")?.userInfo["coredata.derivation"] == "parts.@sum.price")
        #expect(
            notes == [
                "E.search: became optional, because it is derived from an optional attribute",
                "E.total: the derivation “parts.@sum.price” cannot be converted, so this became a plain attribute",
            ]
        )
    }

    @Test func keepsOtherFactsAsUserInfo() throws {
        let xml = """
            <model><entity name="E" representedClassName=".Thing" codeGenerationType="class" elementID="F">
            <fetchedProperty name="p"><fetchRequest name="r" entity="E" predicateString="a == 1"/></fetchedProperty>
            </entity>
            <fetchRequest name="all" entity="E"/>
            <configuration name="Cloud"><memberEntity name="E"/></configuration></model>
            """
        let conversion = try CoreDataModel(xml: Data(xml.utf8)).converted(version: 3)
        let entity = try #require(conversion.model.entity("E"))
        #expect(conversion.model.version == 3 && entity.renamedFrom == "F")
        #expect(entity.userInfo["coredata.className"] == ".Thing")
        #expect(entity.userInfo["coredata.fetchedProperty.p"] == "E: a == 1")
        #expect(entity.userInfo["coredata.configurations"] == "Cloud")
        #expect(conversion.hasLosses)
    }

    @Test func invalidModelIsAnError() throws {
        let model = CoreDataModel(entities: [CoreDataEntity("E", parent: "Nobody")])
        let error = try #require(throws: CoreDataError.self) { try model.converted() }
        #expect(error.code == .invalidModel && error.description.contains("Nobody"))
    }
}
