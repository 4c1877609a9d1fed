import Foundation
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

/// The indexes and uniqueness rules of converted models.
struct ConvertedIndexTests {
    @Test func convertsIndexesAndUniqueness() throws {
        let (entity, notes) = try CoreDataConversionTests.convert(
            """
            <attribute name="a" attributeType="String"/><attribute name="b" attributeType="Transformable"/>
            <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="ascending"/></fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
                <uniquenessConstraint><constraint value="a"/><constraint value="b"/></uniquenessConstraint>
            </uniquenessConstraints>
            """
        )
        #expect(entity.attribute("a")?.isIndexed == true && entity.uniqueness == [["a"]])
        #expect(notes == ["E: dropped the uniqueness rule for (a, b), because SQL cannot compare these values"])
    }

    @Test func convertsIndexesOfSeveralProperties() throws {
        let (entity, notes) = try CoreDataConversionTests.convert(
            """
            <attribute name="a" attributeType="String"/><attribute name="b" attributeType="Date"/>
            <attribute name="t" attributeType="Transformable"/>
            <relationship name="r" optional="YES" maxCount="1" destinationEntity="Other"/>
            <fetchIndex name="latest">
                <fetchIndexElement property="a" type="Binary" order="ascending"/>
                <fetchIndexElement property="b" type="Binary" order="descending"/>
            </fetchIndex>
            <fetchIndex name="byB"><fetchIndexElement property="b" type="Binary" order="descending"/></fetchIndex>
            <fetchIndex name="byR"><fetchIndexElement property="r" type="Binary" order="ascending"/></fetchIndex>
            <fetchIndex name="byT"><fetchIndexElement property="t" type="Binary" order="ascending"/></fetchIndex>
            <fetchIndex name="near"><fetchIndexElement property="b" type="RTree" order="ascending"/></fetchIndex>
            <compoundIndexes>
                <compoundIndex><index value="r"/><index value="a"/></compoundIndex>
            </compoundIndexes>
            """
        )
        #expect(
            entity.indexes == [
                [.ascending("r"), .ascending("a")], [.ascending("a"), .descending("b")], [.descending("b")],
            ]
        )
        #expect(notes == ["E.byT: dropped the index of (t)", "E.near: dropped the R-tree index of (b)"])
    }

    /// SQL cannot compare what a transformer writes, so a model with such an index would be invalid.
    @Test func dropsIndexesOfBytesThatTheMapDecodes() throws {
        var map = ModelMap()
        map.transformers = ["E.hash": "uuid"]
        let (entity, notes) = try CoreDataConversionTests.convert(
            """
            <attribute name="hash" attributeType="Binary"/>
            <fetchIndex name="byHash"><fetchIndexElement property="hash" type="Binary" order="ascending"/></fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint><constraint value="hash"/></uniquenessConstraint>
            </uniquenessConstraints>
            """,
            map: map
        )
        #expect(entity.attribute("hash")?.transformer == "uuid" && entity.attribute("hash")?.isIndexed == false)
        #expect(entity.uniqueness.isEmpty)
        #expect(
            notes == [
                "E: dropped the uniqueness rule for (hash), because SQL cannot compare these values",
                "E.byHash: dropped the index of (hash)",
            ]
        )
    }

    /// No store can be created from a model with such rules.
    @Test(
        arguments: [
            ("parent", "“parent” can refer to objects of several entities", true),
            ("key", "no two objects can have the same “key”, which is a one-to-one relationship", false),
        ] as [(String, String, Bool)]
    )
    func dropsUniquenessRulesOfRelationshipsWithoutAColumn(name: String, reason: String, isLoss: Bool) throws {
        let xml = """
            <model><entity name="Parent"/><entity name="Child" parentEntity="Parent"/>
            <entity name="Box">
                <relationship name="lock" optional="YES" maxCount="1" destinationEntity="Lock" inverseName="key"/>
            </entity>
            <entity name="Lock">
                <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Parent"/>
                <relationship name="key" optional="YES" maxCount="1" destinationEntity="Box" inverseName="lock"/>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="\(name)"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity></model>
            """
        let conversion = try CoreDataModel(xml: Data(xml.utf8)).converted()
        #expect(conversion.model.entity("Lock")?.uniqueness == [])
        let text = "Lock: dropped the uniqueness rule for (\(name)), because \(reason)"
        #expect(conversion.notes.map(\.description) == [text] && conversion.hasLosses == isLoss)
        let store = try Store.inMemory(model: conversion.model, transformers: TransformerRegistry {})
        try store.close()
    }

    /// Objects of the parent have no inverse, so their references are in a column of their own.
    @Test func keepsTheUniquenessRuleOfARelationshipWhoseInverseLeadsOnlyToChildren() throws {
        let xml = """
            <model><entity name="Box">
                <relationship name="key" optional="YES" maxCount="1" destinationEntity="Child" inverseName="lock"/>
            </entity>
            <entity name="Parent">
                <relationship name="lock" optional="YES" maxCount="1" destinationEntity="Box" inverseName="key"/>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="lock"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Child" parentEntity="Parent"/></model>
            """
        let conversion = try CoreDataModel(xml: Data(xml.utf8)).converted()
        #expect(conversion.model.entity("Parent")?.uniqueness == [["lock"]])
        #expect(conversion.notes.isEmpty)
        try Store.inMemory(model: conversion.model, transformers: TransformerRegistry {}).close()
    }

    @Test func keepsIndexesOfEnumerationsOfSwiftData() throws {
        var state = CoreDataAttribute("state", .composite, elements: [CoreDataAttribute("state", .string)])
        state.userInfo = ["EnumType": "1"]
        var source = CoreDataEntity("E", attributes: [state])
        source.indexes = [CoreDataIndex("byState", [CoreDataIndexElement("state")])]
        source.uniquenessConstraints = [["state"]]
        let conversion = try CoreDataModel(entities: [source]).converted()
        let entity = try #require(conversion.model.entity("E"))
        #expect(entity.attribute("state")?.isIndexed == true && entity.uniqueness == [["state"]])
        #expect(!conversion.hasLosses)
    }

    @Test func keepsAnIndexThatAUniquenessConstraintHas() throws {
        let (entity, notes) = try CoreDataConversionTests.convert(
            """
            <attribute name="a" attributeType="String"/><attribute name="b" attributeType="Date"/>
            <fetchIndex name="ab">
                <fetchIndexElement property="a" type="Binary" order="ascending"/>
                <fetchIndexElement property="b" type="Binary" order="ascending"/>
            </fetchIndex>
            <compoundIndexes>
                <compoundIndex><index value="a"/><index value="b"/></compoundIndex>
                <compoundIndex><index value="b"/><index value="a"/></compoundIndex>
            </compoundIndexes>
            <uniquenessConstraints>
                <uniquenessConstraint><constraint value="a"/><constraint value="b"/></uniquenessConstraint>
            </uniquenessConstraints>
            """
        )
        #expect(entity.uniqueness == [["a", "b"]])
        #expect(entity.indexes == [[.ascending("a"), .ascending("b")], [.ascending("b"), .ascending("a")]])
        #expect(notes.isEmpty)
    }
}
