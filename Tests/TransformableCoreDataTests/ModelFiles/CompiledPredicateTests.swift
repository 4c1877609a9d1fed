import Foundation
import Testing
import TransformableCoreData
import TransformableModel

/// Fetch requests, fetched properties, and predicates in compiled models.
struct CompiledPredicateTests {
    /// A predicate in an archive, and its text in the format of predicates.
    struct Case: CustomStringConvertible {
        let description: String
        let make: @Sendable (inout ModelArchive) -> String

        init(_ text: String, _ make: @escaping @Sendable (inout ModelArchive) -> String) {
            description = text
            self.make = make
        }
    }

    static let cases = [
        Case("age >= $age") { $0.compare($0.keyPath("age"), 3, $0.variable("age")) },
        Case("name == nil") { $0.compare($0.keyPath("name"), 4, $0.constant(ModelArchive.null)) },
        Case("name != \"a \\\"b\\\" \\\\ c\"") { $0.compare($0.keyPath("name"), 5, $0.text("a \"b\" \\ c")) },
        Case("name BEGINSWITH[cd] \"A\"") {
            $0.compare($0.keyPath("name"), 8, $0.text("A"), options: ("NSFlags", 3))
        },
        Case("name LIKE[c] $pattern") {
            $0.compare($0.keyPath("name"), 7, $0.variable("pattern"), options: ("NSOptions", 1))
        },
        Case("age BETWEEN {1, 2}") {
            let limits = [1, 2].map { ModelArchive.number($0) }
            return $0.compare($0.keyPath("age"), 100, $0.constant($0.array(limits)))
        },
        Case("name IN {\"a\", $b}") {
            $0.compare($0.keyPath("name"), 10, $0.aggregate([$0.text("a"), $0.variable("b")]))
        },
        Case("ANY friends.name CONTAINS \"x\"") {
            $0.compare($0.keyPath("friends.name"), 99, $0.text("x"), modifier: 2)
        },
        Case("isLent == YES") { $0.compare($0.keyPath("isLent"), 4, $0.constant("<true/>")) },
        Case("born < CAST(86400.5, \"NSDate\")") {
            let date = $0.add("NSDate", ["NS.time": "<real>86400.5</real>"])
            return $0.compare($0.keyPath("born"), 0, $0.constant(date))
        },
        Case("name == $FETCH_SOURCE.name") {
            let path = $0.add("NSKeyPathSpecifierExpression", ["NSKeyPath": $0.string("name")])
            let right = $0.call("valueForKeyPath:", [path], on: $0.variable("FETCH_SOURCE"))
            return $0.compare($0.keyPath("name"), 4, right)
        },
        Case("(age * 2) > 30") {
            let product = $0.call("multiply:by:", [$0.keyPath("age"), $0.constant(ModelArchive.number(2))])
            return $0.compare(product, 2, $0.constant(ModelArchive.number(30)))
        },
        Case("age < 3 AND (name == \"a\" OR name == \"b\")") {
            let young = $0.compare($0.keyPath("age"), 0, $0.constant(ModelArchive.number(3)))
            let (one, other) = ($0.text("a"), $0.text("b"))
            let either = $0.compound(
                2,
                [$0.compare($0.keyPath("name"), 4, one), $0.compare($0.keyPath("name"), 4, other)]
            )
            return $0.compound(1, [young, either])
        },
        Case("NOT (age < 3)") {
            $0.compound(0, [$0.compare($0.keyPath("age"), 0, $0.constant(ModelArchive.number(3)))])
        },
        Case("TRUEPREDICATE") { $0.add("NSTruePredicate", [:]) },
    ]

    /// Reads a model with the fetch request `found` of the given predicate.
    private static func read(
        _ make: (inout ModelArchive) -> String,
        _ settings: (inout ModelArchive) -> [(String, String)] = { _ in [] }
    ) throws -> CoreDataModel {
        let data = ModelArchive.people { archive, person in
            let predicate = make(&archive)
            let fields = [("NSEntity", person), ("NSPredicate", predicate)] + settings(&archive)
            let request = archive.add("NSFetchRequest", fields)
            let requests = archive.dictionary(["found": request])
            return (archive.personProperties(), archive.array([]), requests)
        }
        return try CoreDataModel(compiled: data)
    }

    @Test(arguments: cases)
    func readsPredicates(_ predicate: Case) throws {
        let model = try Self.read(predicate.make)
        #expect(model.fetchRequests.map(\.predicate) == [predicate.description])
        #expect(model.fetchRequests.map(\.entity) == ["Person"])
        #expect(model.notes.isEmpty)
    }

    @Test func convertsFetchRequests() throws {
        func settings(_ archive: inout ModelArchive) -> [(String, String)] {
            let (name, age) = (archive.string("name"), archive.string("age"))
            let order = [
                archive.add("NSSortDescriptor", [("NSKey", name), ("NSAscending", "<true/>")]),
                archive.add("NSSortDescriptor", [("NSKey", age), ("NSAscending", "<false/>")]),
            ]
            return [
                ("NSFetchLimit", ModelArchive.number(5)), ("NSBatchSize", ModelArchive.number(0)),
                ("NSFetchOffset", ModelArchive.number(2)), ("NSSortDescriptors", archive.array(order)),
            ]
        }
        let model = try Self.read({ $0.compare($0.keyPath("age"), 3, $0.variable("age")) }, settings)
        let conversion = try model.converted()
        let expected = FetchRequestDescription(
            "found",
            of: "Person",
            where: "age >= $age",
            sortedBy: [.ascending("name"), .descending("age")],
            limit: 5,
            offset: 2
        )
        #expect(conversion.model.fetchRequests == [expected])
        #expect(conversion.notes.isEmpty)
    }

    @Test func equalsTheFetchRequestInXML() throws {
        let compiled = try Self.read({ $0.compare($0.keyPath("age"), 3, $0.variable("age")) })
        let xml = """
            <model><entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="age" optional="YES" attributeType="Integer 16"/></entity>
            <fetchRequest name="found" entity="Person" predicateString="age &gt;= $age"/></model>
            """
        let source = try CoreDataModel(xml: Data(xml.utf8))
        #expect(source.fetchRequests == compiled.fetchRequests)
        #expect(compiled.outline.differences(from: source.outline).isEmpty)
    }

    /// The flags and result types of four requests that Xcode compiled, and what their XML says.
    @Test(arguments: [
        (31, 0, ["returnDistinctResults": "YES"]), (30, 0, [:]), (26, 1, ["resultType": "1"]),
        (14, 2, ["resultType": "2"]),
        (
            0, 0,
            [
                "includeSubentities": "NO", "includePropertyValues": "NO", "returnObjectsAsFaults": "NO",
                "includesPendingChanges": "NO",
            ]
        ),
    ])
    func readsFlagsThatDifferFromTheDefault(flags: Int, type: Int, settings: [String: String]) throws {
        func fields(_ archive: inout ModelArchive) -> [(String, String)] {
            [
                ("NSHasFetchRequestFlags", "<true/>"), ("NSFetchRequestFlags", ModelArchive.number(flags)),
                ("NSResultType", ModelArchive.number(type)),
            ]
        }
        let model = try Self.read({ $0.add("NSTruePredicate", [:]) }, fields)
        #expect(model.fetchRequests.map(\.settings) == [settings])
    }

    @Test func equalsRequestsInXMLThatStateDefaults() throws {
        func fields(_ archive: inout ModelArchive) -> [(String, String)] {
            [("NSHasFetchRequestFlags", "<true/>"), ("NSFetchRequestFlags", ModelArchive.number(30))]
        }
        let compiled = try Self.read({ $0.compare($0.keyPath("age"), 3, $0.variable("age")) }, fields)
        let xml = """
            <model><entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="age" optional="YES" attributeType="Integer 16"/></entity>
            <fetchRequest name="found" entity="Person" predicateString="age &gt;= $age" includeSubentities="YES"
            includePropertyValues="YES" includesPendingChanges="YES" returnObjectsAsFaults="YES"/></model>
            """
        let source = try CoreDataModel(xml: Data(xml.utf8))
        #expect(compiled.outline.differences(from: source.outline).isEmpty)
    }

    @Test func dropsRequestsWithUnknownPredicates() throws {
        let model = try Self.read { $0.add("NSBlockPredicate", [:]) }
        #expect(model.fetchRequests.isEmpty)
        let note = "found: the predicate of the fetch request cannot be read, so the request was dropped"
        #expect(model.notes.map(\.description) == [note])
    }

    /// A predicate that contains itself, and one of which each level contains the next one twice.
    @Test func endsOnPredicatesWithoutEnd() throws {
        let endless = try Self.read { archive in
            let number = archive.reserve()
            let itself = ModelArchive.reference(number)
            archive.set(number, "NSCompoundPredicate", ["NSSubpredicates": archive.array([itself, itself])])
            return itself
        }
        #expect(endless.fetchRequests.isEmpty && endless.notes.count == 1)
        let doubled = try Self.read { archive in
            var predicate = archive.add("NSTruePredicate", [:])
            for _ in 0..<50 { predicate = archive.compound(1, [predicate, predicate]) }
            return predicate
        }
        #expect(doubled.fetchRequests.isEmpty && doubled.notes.count == 1)
    }

    /// A list of many references to the same long string.
    @Test func dropsRequestsWithLongPredicates() throws {
        func read(_ count: Int) throws -> CoreDataModel {
            try Self.read { archive in
                let text = archive.text(String(repeating: "x", count: 30_000))
                let list = archive.aggregate(Array(repeating: text, count: count))
                return archive.compare(archive.keyPath("name"), 10, list)
            }
        }
        #expect(try read(2).fetchRequests.first?.predicate?.utf8.count == 60_016)
        let long = try read(1_500)
        #expect(long.fetchRequests.isEmpty && long.notes.count == 1)
    }

    @Test func readsFetchedPropertiesAndPartialIndexes() throws {
        let data = ModelArchive.people { archive, person in
            let path = archive.add("NSKeyPathSpecifierExpression", ["NSKeyPath": archive.string("name")])
            let name = archive.call("valueForKeyPath:", [path], on: archive.variable("FETCH_SOURCE"))
            let predicate = archive.compare(archive.keyPath("name"), 4, name)
            let request = archive.add("NSFetchRequest", ["NSEntity": person, "NSPredicate": predicate])
            let property = archive.add(
                "NSFetchedPropertyDescription",
                ["NSPropertyName": archive.string("namesakes"), "NSIsOptional": "<true/>", "AnyField": request]
            )
            let element = archive.add(
                "NSFetchIndexElementDescription",
                ["NSPropertyName": archive.string("name"), "NSAscending": "<true/>"]
            )
            let adult = archive.compare(archive.keyPath("age"), 2, archive.constant(ModelArchive.number(17)))
            let index = archive.add(
                "NSFetchIndexDescription",
                [
                    "NSIndexName": archive.string("adults"), "NSIndexElements": archive.array([element]),
                    "NSPartialIndexPredicate": adult,
                ]
            )
            return (archive.personProperties(["namesakes": property]), archive.array([index]), ModelArchive.null)
        }
        let model = try CoreDataModel(compiled: data)
        #expect(model.notes.isEmpty)
        let person = try #require(model.entity("Person"))
        #expect(person.fetchedProperties.map(\.name) == ["namesakes"])
        #expect(person.fetchedProperties.first?.request?.predicate == "name == $FETCH_SOURCE.name")
        #expect(person.indexes == [CoreDataIndex("adults", [CoreDataIndexElement("name")], predicate: "age > 17")])
        let notes = try model.converted().notes.map(\.description)
        #expect(
            notes == [
                "Person.namesakes: kept the fetched property as userInfo",
                "Person.adults: converted the partial index (where age > 17) to an index of all objects",
            ]
        )
    }
}
