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
