import Foundation
import Testing
import TransformableCoreData

struct XMLModelTests {
    static let library = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="1"
            userDefinedModelVersionIdentifier="Library 2" usedWithCloudKit="YES">
            <!-- A comment. -->
            <composite name="Size">
                <attribute name="width" optional="YES" attributeType="Double"/>
                <attribute name="height" optional="YES" attributeType="Double"/>
            </composite>
            <entity name="Item" representedClassName=".Item" isAbstract="YES" elementID="Thing" syncable="YES">
                <attribute name="title" attributeType="String" defaultValueString="" minValueString="1"/>
                <attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>
                <fetchIndex name="byTitle">
                    <fetchIndexElement property="title" type="Binary" order="descending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo><entry key="icon" value="A &amp; B"/></userInfo>
            </entity>
            <entity name="Book" representedClassName="Book" parentEntity="Item" versionHashModifier="2">
                <attribute name="pages" optional="YES" attributeType="Integer 32" defaultValueString="0"
                    usesScalarValueType="YES" elementID="pageCount"/>
                <attribute name="cover" optional="YES" attributeType="Binary"
                    allowsExternalBinaryDataStorage="YES"/>
                <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName=""
                    customClassName="[String]"/>
                <relationship name="authors" toMany="YES" minCount="1" ordered="YES" deletionRule="Nullify"
                    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
            </entity>
            <entity name="Author">
                <attribute name="bookCount" optional="YES" attributeType="Integer 64" derived="YES"
                    derivationExpression="books.@count"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade"
                    destinationEntity="Book" inverseName="authors" inverseEntity="Book"/>
                <relationship name="teacher" optional="YES" minCount="1" maxCount="1" deletionRule="No Action"
                    destinationEntity="Author"/>
                <compoundIndexes>
                    <compoundIndex><index value="bookCount"/><index value="teacher"/></compoundIndex>
                </compoundIndexes>
            </entity>
            <fetchRequest name="byTitle" entity="Book" predicateString="title == $TITLE" fetchLimit="5"/>
            <configuration name="Cloud"><memberEntity name="Book"/><memberEntity name="Author"/></configuration>
            <elements><element name="Book" positionX="0" positionY="0" width="1" height="1"/></elements>
        </model>
        """

    private static func model(_ xml: String) throws(CoreDataError) -> CoreDataModel {
        try CoreDataModel(xml: Data(xml.utf8))
    }

    /// Returns the model with a single entity, whose contents are given.
    private static func entity(_ contents: String) throws -> CoreDataEntity {
        let model = try model("<model><entity name=\"E\">\(contents)</entity></model>")
        return try #require(model.entity("E"))
    }

    @Test func readsEntities() throws {
        let model = try Self.model(Self.library)
        #expect(model.entities.map(\.name) == ["Author", "Book", "Item"])
        let item = try #require(model.entity("Item"))
        #expect(item.isAbstract && item.className == ".Item" && item.renamingIdentifier == "Thing")
        #expect(item.uniquenessConstraints == [["title"]] && item.userInfo == ["icon": "A & B"])
        #expect(item.indexes == [CoreDataIndex("byTitle", [CoreDataIndexElement("title", ascending: false)])])
        #expect(model.entity("Book")?.parent == "Item" && model.entity("Book")?.versionHashModifier == "2")
        let compound = CoreDataIndex(nil, [CoreDataIndexElement("bookCount"), CoreDataIndexElement("teacher")])
        #expect(model.entity("Author")?.indexes == [compound])
        #expect(model.notes.isEmpty)
    }

    @Test func readsPropertiesOfTheModel() throws {
        let model = try Self.model(Self.library)
        #expect(model.versionIdentifiers == ["Library 2"] && model.usesCloudKit && !model.usesSwiftData)
        #expect(model.configurations == [CoreDataConfiguration("Cloud", entities: ["Author", "Book"])])
        let request = try #require(model.fetchRequests.first)
        #expect(request.entity == "Book" && request.predicate == "title == $TITLE")
        #expect(request.settings == ["fetchLimit": "5"])
    }

    @Test func readsAttributes() throws {
        let model = try Self.model(Self.library)
        let book = try #require(model.entity("Book"))
        let pages = try #require(book.attribute("pages"))
        #expect(pages.type == .integer32 && pages.isOptional && pages.defaultValue == .integer(0))
        #expect(pages.usesScalarType == true && pages.renamingIdentifier == "pageCount")
        #expect(book.attribute("cover")?.allowsExternalStorage == true)
        let tags = try #require(book.attribute("tags"))
        #expect(tags.type == .transformable && tags.transformerName == nil && tags.className == "[String]")
        #expect(model.entity("Author")?.attribute("bookCount")?.derivation == CoreDataDerivation("books.@count"))
        let title = try #require(model.entity("Item")?.attribute("title"))
        #expect(title.defaultValue == .string("") && title.minimum == "1" && !title.isOptional)
    }

    @Test func readsElementsOfComposites() throws {
        let size = try #require(try Self.model(Self.library).entity("Item")?.attribute("size"))
        #expect(size.type == .composite && size.compositeName == "Size")
        #expect(size.leaves.map(\.name) == ["width", "height"])
    }

    @Test func readsRelationships() throws {
        let model = try Self.model(Self.library)
        let authors = try #require(model.entity("Book")?.relationship("authors"))
        #expect(authors.isToMany && authors.isOrdered && !authors.isOptional && authors.minimumCount == 1)
        #expect(authors.inverse == "books" && authors.deleteRule == .nullify)
        let teacher = try #require(model.entity("Author")?.relationship("teacher"))
        #expect(!teacher.isToMany && teacher.isOptional && teacher.minimumCount == 0 && teacher.maximumCount == 0)
        #expect(teacher.inverse == nil && teacher.deleteRule == .noAction)
    }

    @Test(arguments: [
        ("Boolean", "YES", CoreDataDefaultValue.boolean(true)), ("Boolean", "0", .boolean(false)),
        ("Boolean", "maybe", .invalid("maybe")), ("Integer 16", "-7", .integer(-7)), ("Integer 16", "0.0", .integer(0)),
        ("Integer 64", "NO", .integer(0)), ("Integer 16", "40000", .invalid("40000")), ("Double", "1.5", .number(1.5)),
        ("Float", "NO", .number(0)), ("Decimal", "0.50", .decimal("0.5")), ("Decimal", "ten", .invalid("ten")),
        ("String", "0", .string("0")), ("URI", "https://a.example", .string("https://a.example")),
    ])
    func readsDefaults(type: String, text: String, value: CoreDataDefaultValue) throws {
        let entity = try Self.entity(
            "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
        )
        #expect(entity.attribute("a")?.defaultValue == value)
    }

    @Test func readsDefaultDate() throws {
        let entity = try Self.entity(
            """
            <attribute name="a" attributeType="Date" defaultDateTimeInterval="-978307200"
                defaultValueString="01/01/1970"/>
            """
        )
        #expect(entity.attribute("a")?.defaultValue == .date(-978_307_200))
    }

    /// The names are those that Xcode writes.
    @Test func readsSettingsOfHistoryAndSpotlight() throws {
        let model = try Self.model(
            """
            <model><entity name="E">
            <attribute name="a" attributeType="UUID" preserveAfterDeletion="YES"/>
            <attribute name="b" attributeType="String" spotlightIndexingEnabled="YES"/>
            <relationship name="c" maxCount="1" destinationEntity="E" spotlightIndexingEnabled="YES"/>
            </entity></model>
            """
        )
        let entity = try #require(model.entity("E"))
        #expect(entity.attribute("a")?.preservesValueOnDeletion == true)
        #expect(entity.attribute("a")?.isIndexedBySpotlight == false)
        #expect(entity.attribute("b")?.isIndexedBySpotlight == true)
        #expect(model.notes.isEmpty)
    }

    @Test func notesUnknownElements() throws {
        let xml = """
            <model><entity name="E" shape="round">
            <userInfo><entry key="k" colour="red"/></userInfo>
            <attribute name="a" attributeType="Boolean" optional="SOMETIMES" defaultValueString="1"/><gadget/>
            </entity></model>
            """
        let notes = try Self.model(xml).notes
        #expect(
            notes.map(\.description) == [
                "E: “shape” of “entity” in line 1 is unknown and was ignored",
                "E: the element “gadget” in “entity” in line 3 is unknown and was ignored",
                "E.a: “optional” is “SOMETIMES”, neither YES nor NO, and was read as NO",
                "E.a: the default “1” was read as YES",
                "E: “colour” of “entry” in line 2 is unknown and was ignored",
            ]
        )
        #expect(notes.map(\.isLoss) == [true, true, true, false, true])
    }

    @Test(arguments: [
        ("", 1, 1), ("<model>", 1, 8), ("<model>\n <entity/></model>", 2, 2),
        ("<model><entity name='E'></model>", 1, 27),
        ("<!DOCTYPE model [<!ENTITY a 'b'>]><model/>", 1, 1), ("<model a='1' a='2'/>", 1, 14),
        ("<model a='&b;'/>", 1, 11), ("<model a='&#+65;'/>", 1, 11), ("<model a='&#x-0;'/>", 1, 11),
        ("<model a='<'/>", 1, 11), ("<model/><model/>", 1, 9),
        ("<model>text</model>", 1, 8),
        ("<model>\n<entity name='A'/>\n<entity name='A'/></model>", 1, 1),
        ("<model><entity name='A'><attribute name='b' attributeType='Color'/></entity></model>", 1, 25),
    ])
    func rejectsInvalidXML(xml: String, line: Int, column: Int) throws {
        let error = try #require(throws: CoreDataError.self) { try Self.model(xml) }
        #expect(error.code == .invalidModel)
        #expect(error.line == line && error.column == column, "\(error)")
    }

    @Test func rejectsOtherXML() {
        #expect(throws: CoreDataError(.notAModel, "")) { try Self.model("<plist/>") }
    }

    @Test func rejectsDeepNesting() {
        let xml = String(repeating: "<model>", count: 100_000)
        #expect(throws: CoreDataError(.limitExceeded, "")) { try Self.model(xml) }
    }

    @Test func rejectsACompositeWithTwoElementsOfOneName() {
        let element = "<attribute name=\"a\" attributeType=\"String\"/>"
        let xml = "<model><composite name=\"C\">\(element)\(element)</composite></model>"
        #expect(throws: CoreDataError(.invalidModel, "")) { try Self.model(xml) }
    }

    @Test func rejectsACompositeThatContainsItself() {
        let xml = """
            <model><composite name="C"><attribute name="c" attributeType="Composite" composite="C"/></composite>
            <entity name="E"><attribute name="a" attributeType="Composite" composite="C"/></entity></model>
            """
        #expect(throws: CoreDataError(.invalidModel, "")) { try Self.model(xml) }
    }
}
