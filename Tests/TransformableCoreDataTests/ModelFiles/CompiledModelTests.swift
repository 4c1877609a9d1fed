import Foundation
import Testing
import TransformableCoreData

struct CompiledModelTests {
    @Test func readsEntities() throws {
        let model = try CoreDataModel(compiled: ModelArchive.animals, name: "Animals")
        #expect(model.isCompiled && model.name == "Animals" && model.versionIdentifiers == ["Animals 1"])
        #expect(model.entities.map(\.name) == ["Animal", "Dog", "Person"])
        let animal = try #require(model.entity("Animal"))
        #expect(animal.isAbstract && animal.renamingIdentifier == "Beast")
        let dog = try #require(model.entity("Dog"))
        #expect(dog.parent == "Animal" && dog.className == nil && dog.renamingIdentifier == nil)
        #expect(model.entity("Person")?.uniquenessConstraints == [["dogs"]])
        #expect(model.notes.isEmpty)
    }

    @Test func leavesOutInheritedProperties() throws {
        let model = try CoreDataModel(compiled: ModelArchive.animals)
        #expect(model.entity("Animal")?.attributes.map(\.name) == ["born", "name"])
        #expect(model.entity("Dog")?.attributes.map(\.name) == ["photo"])
    }

    @Test func readsProperties() throws {
        let model = try CoreDataModel(compiled: ModelArchive.animals)
        let animal = try #require(model.entity("Animal"))
        #expect(animal.attribute("name")?.type == .string && animal.attribute("name")?.defaultValue == .string("Rex"))
        #expect(animal.attribute("born")?.isOptional == true && animal.attribute("born")?.type == .date)
        #expect(model.entity("Dog")?.attribute("photo")?.allowsExternalStorage == true)
        let owner = try #require(model.entity("Dog")?.relationship("owner"))
        #expect(!owner.isToMany && owner.destination == "Person" && owner.inverse == "dogs")
        #expect(owner.deleteRule == .cascade && owner.isOptional)
        #expect(model.entity("Person")?.relationship("dogs")?.isToMany == true)
    }

    /// The attribute and its indexes are as in a store that an app has written.
    @Test func leavesOutImpliedIndexes() throws {
        let data = ModelArchive.people { archive, _ in
            let height = archive.attribute("height", 100, ["NSIsIndexed": "<true/>"])
            let size = archive.attribute("size", 100, ["NSIsIndexed": "<true/>"])
            func index(_ name: String, _ property: String) -> String {
                let element = archive.add(
                    "NSFetchIndexElementDescription",
                    ["NSPropertyName": archive.string(property), "NSAscending": "<true/>"]
                )
                let elements = archive.array([element])
                return archive.add(
                    "NSFetchIndexDescription",
                    ["NSIndexName": archive.string(name), "NSIndexElements": elements]
                )
            }
            let indexes = [index("byHeight", "height"), index("height", "height"), index("size", "size")]
            let properties = archive.personProperties(["height": height, "size": size])
            return (properties, archive.array(indexes), ModelArchive.null)
        }
        let person = try #require(CoreDataModel(compiled: data).entity("Person"))
        #expect(person.indexes == [CoreDataIndex("byHeight", [CoreDataIndexElement("height")])])
        #expect(person.attribute("height")?.isIndexed == false)
        #expect(person.attribute("size")?.isIndexed == true)
    }

    @Test func readsTheCopyInAStore() throws {
        let cache = ModelArchive.deflated(ModelArchive.animals)
        #expect(try CoreDataModel(cache: cache) == CoreDataModel(compiled: ModelArchive.animals))
    }

    @Test func rejectsDamagedCopies() {
        let cache = ModelArchive.deflated(ModelArchive.animals)
        #expect(throws: CoreDataError(.notAModel, "")) { try CoreDataModel(cache: cache.dropLast()) }
        #expect(throws: CoreDataError(.notAModel, "")) { try CoreDataModel(cache: cache + [0]) }
        #expect(throws: CoreDataError(.notAModel, "")) { try CoreDataModel(cache: Data()) }
        #expect(throws: CoreDataError(.notAModel, "")) { try CoreDataModel(compiled: Data("bplist00".utf8)) }
    }

    @Test func equalsTheModelFromXML() throws {
        let xml = """
            <model userDefinedModelVersionIdentifier="Animals 1">
                <entity name="Animal" isAbstract="YES" elementID="Beast" representedClassName="Animal">
                    <attribute name="name" attributeType="String" defaultValueString="Rex"/>
                    <attribute name="born" attributeType="Date" optional="YES" usesScalarValueType="NO"/>
                </entity>
                <entity name="Dog" parentEntity="Animal">
                    <attribute name="photo" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                    <relationship name="owner" maxCount="1" optional="YES" deletionRule="Cascade"
                        destinationEntity="Person" inverseName="dogs" inverseEntity="Person"/>
                </entity>
                <entity name="Person">
                    <relationship name="dogs" toMany="YES" optional="YES" deletionRule="Cascade"
                        destinationEntity="Dog" inverseName="owner" inverseEntity="Dog"/>
                    <uniquenessConstraints>
                        <uniquenessConstraint><constraint value="dogs"/></uniquenessConstraint>
                    </uniquenessConstraints>
                </entity>
            </model>
            """
        let source = try CoreDataModel(xml: Data(xml.utf8)).outline
        let compiled = try CoreDataModel(compiled: ModelArchive.animals).outline
        #expect(compiled.differences(from: source).isEmpty)
    }
}
