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

    @Test func rejectsACompositeWithTwoElementsOfOneName() {
        let bytes = ModelArchive.people { archive, _ in
            let element = archive.attribute("a", 700)
            let composite = archive.attribute("c", 2100, ["NSCompositeElements": archive.array([element, element])])
            return (archive.personProperties(["c": composite]), archive.array([]), ModelArchive.null)
        }
        #expect(throws: CoreDataError(.invalidModel, "")) { try CoreDataModel(compiled: bytes) }
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

    /// Reads a model in which `Person` also has the given property.
    private static func person(
        _ name: String,
        _ make: @Sendable @escaping (inout ModelArchive) -> String
    ) throws -> CoreDataModel {
        let data = ModelArchive.people { archive, _ in
            let property = make(&archive)
            return (archive.personProperties([name: property]), archive.array([]), ModelArchive.null)
        }
        return try CoreDataModel(compiled: data)
    }

    /// The conjunction is that of a model in code, the two comparisons those of a model that Xcode compiled.
    @Test(arguments: [true, false])
    func readsTheLimitsOfTheLengthOfText(isConjunction: Bool) throws {
        let model = try Self.person("title") { archive in
            let limits = [(3, 3), (1, 50)]
            let rules = limits.map { type, limit in
                archive.compare(archive.keyPath("length"), type, archive.constant(ModelArchive.number(limit)))
            }
            let predicates = archive.array(isConjunction ? [archive.compound(1, rules)] : rules)
            return archive.attribute("title", 700, ["NSValidationPredicates": predicates])
        }
        let title = try #require(model.entity("Person")?.attribute("title"))
        #expect(title.minimum == "3" && title.maximum == "50")
        #expect(model.notes.isEmpty)
    }

    @Test func readsTheLimitsOfADate() throws {
        let model = try Self.person("born") { archive in
            let itself = archive.add("NSSelfExpression", ["NSExpressionType": ModelArchive.number(1)])
            let date = archive.add("NSDate", ["NS.time": "<real>407847600</real>"])
            let predicates = archive.array([archive.compare(itself, 3, archive.constant(date))])
            return archive.attribute("born", 900, ["NSValidationPredicates": predicates])
        }
        #expect(model.entity("Person")?.attribute("born")?.minimum == "407847600")
        #expect(model.notes.isEmpty)
    }

    @Test func notesOtherValidationRules() throws {
        let model = try Self.person("title") { archive in
            let itself = archive.add("NSSelfExpression", ["NSExpressionType": ModelArchive.number(1)])
            let rules = [
                archive.compare(itself, 99, archive.text("x")),
                archive.compare(archive.keyPath("count"), 3, archive.constant(ModelArchive.number(1))),
            ]
            return archive.attribute("title", 700, ["NSValidationPredicates": archive.array(rules)])
        }
        let title = try #require(model.entity("Person")?.attribute("title"))
        #expect(title.minimum == nil && title.pattern == nil)
        #expect(
            model.notes.map(\.description) == [
                "Person.title: the validation rule “SELF CONTAINS \"x\"” cannot be read from a compiled model and was "
                    + "dropped",
                "Person.title: the validation rule “count >= 1” cannot be read from a compiled model and was dropped",
            ]
        )
    }

    @Test func comparesIndexesWithTheirNamesFromOlderModels() {
        func outline(_ name: String?) -> ModelOutline {
            var person = CoreDataEntity("Person", attributes: ["a", "b"].map { CoreDataAttribute($0, .string) })
            person.indexes = [CoreDataIndex(name, ["a", "b"].map { CoreDataIndexElement($0) })]
            return CoreDataModel(entities: [person]).outline
        }
        #expect(outline("a_b").differences(from: outline(nil)).isEmpty)
        #expect(outline("byA").differences(from: outline(nil)).count == 1)
    }

    @Test func readsTheFlagsOfAttributes() throws {
        let model = try Self.person("mark") { archive in
            archive.attribute("mark", 1100, ["NSFlagsKey": ModelArchive.number(16 + 64)])
        }
        let mark = try #require(model.entity("Person")?.attribute("mark"))
        #expect(mark.preservesValueOnDeletion && !mark.allowsExternalStorage)
        #expect(model.notes.map(\.description) == ["Person.mark: the flags 64 are unknown and were ignored"])
    }

    @Test func readsCountsThatAreFunctions() throws {
        let model = try Self.person("friendCount") { archive in
            let count = archive.call("count:", [archive.keyPath("friends")])
            return archive.add(
                "NSDerivedAttributeDescription",
                [
                    "NSPropertyName": archive.string("friendCount"), "NSAttributeType": ModelArchive.number(300),
                    "NSDerivationExpression": count,
                ]
            )
        }
        let attribute = try #require(model.entity("Person")?.attribute("friendCount"))
        #expect(attribute.derivation == CoreDataDerivation("friends.@count"))
        #expect(CoreDataDerivation("count:(a.b)").expression == "a.b.@count")
        #expect(CoreDataDerivation("count:(a) + 1").expression == "count:(a) + 1")
    }

    /// An expression with itself as each of its 16 arguments: 16⁸ calls without a limit.
    @Test(.timeLimit(.minutes(1)))
    func endsOnExpressionsWithoutEnd() throws {
        let model = try Self.person("friendCount") { archive in
            let number = archive.reserve()
            let arguments = archive.array(Array(repeating: ModelArchive.reference(number), count: 16))
            archive.set(
                number,
                "NSFunctionExpression",
                ["NSSelectorName": archive.string("count:"), "NSArguments": arguments]
            )
            let itself = ModelArchive.reference(number)
            let rule = archive.compare(itself, 3, archive.constant(ModelArchive.number(1)))
            return archive.add(
                "NSDerivedAttributeDescription",
                [
                    "NSPropertyName": archive.string("friendCount"), "NSAttributeType": ModelArchive.number(300),
                    "NSDerivationExpression": itself, "NSValidationPredicates": archive.array([rule]),
                ]
            )
        }
        #expect(model.entity("Person")?.attribute("friendCount")?.derivation == CoreDataDerivation(""))
        #expect(
            model.notes.map(\.description) == [
                "Person.friendCount: the validation rule cannot be read from a compiled model and was dropped",
                "Person.friendCount: its derivation cannot be read from a compiled model",
            ]
        )
    }

    /// A string that is its own content.
    @Test func endsOnStringsWithoutEnd() throws {
        let model = try Self.person("title") { archive in
            let number = archive.reserve()
            let itself = ModelArchive.reference(number)
            archive.set(number, "NSString", ["NS.string": itself, "NS.data": itself])
            return archive.attribute("title", 700, ["NSDefaultValue": itself, "NSVersionHashModifier": itself])
        }
        #expect(model.entity("Person")?.attribute("title")?.versionHashModifier == nil)
    }

    @Test func namesTheClassOfDefaultsThatAreObjects() throws {
        let model = try Self.person("cover") { archive in
            let cover = archive.add("App.Cover", ["text": archive.string("x")])
            return archive.attribute("cover", 1800, ["NSDefaultValue": cover])
        }
        let value = model.entity("Person")?.attribute("cover")?.defaultValue
        #expect(value == .invalid("an object of class App.Cover"))
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
