import Foundation

/// A compiled model, written by hand as a keyed archive in XML.
struct ModelArchive {
    private var objects = ["<string>$null</string>"]
    private var classes: [String: Int] = [:]

    /// Adds an object, and returns a reference to it.
    mutating func add(_ name: String, _ fields: KeyValuePairs<String, String>) -> String {
        add(name, fields.map { ($0.key, $0.value) })
    }

    mutating func add(_ name: String, _ fields: [(String, String)]) -> String {
        reserve()
        let number = objects.count - 1
        set(number, name, fields)
        return Self.reference(number)
    }

    /// Adds an empty place for an object that others refer to, and returns its number.
    @discardableResult
    mutating func reserve() -> Int {
        objects.append("")
        return objects.count - 1
    }

    mutating func set(_ number: Int, _ name: String, _ fields: KeyValuePairs<String, String>) {
        set(number, name, fields.map { ($0.key, $0.value) })
    }

    private mutating func set(_ number: Int, _ name: String, _ fields: [(String, String)]) {
        let text = fields.map { "<key>\($0.0)</key>\($0.1)" }.joined()
        objects[number] = "<dict><key>$class</key>\(reference(toClass: name))\(text)</dict>"
    }

    mutating func string(_ text: String) -> String {
        objects.append("<string>\(text)</string>")
        return Self.reference(objects.count - 1)
    }

    mutating func array(_ members: [String], _ name: String = "NSArray") -> String {
        add(name, ["NS.objects": "<array>\(members.joined())</array>"])
    }

    mutating func dictionary(_ pairs: KeyValuePairs<String, String>) -> String {
        let keys = pairs.map { string($0.key) }.joined()
        let values = pairs.map(\.value).joined()
        return add(
            "NSMutableDictionary",
            ["NS.keys": "<array>\(keys)</array>", "NS.objects": "<array>\(values)</array>"]
        )
    }

    private mutating func reference(toClass name: String) -> String {
        if classes[name] == nil {
            let names = "<array><string>\(name)</string><string>NSObject</string></array>"
            objects.append("<dict><key>$classname</key><string>\(name)</string><key>$classes</key>\(names)</dict>")
            classes[name] = objects.count - 1
        }
        return Self.reference(classes[name] ?? 0)
    }

    static func reference(_ number: Int) -> String {
        "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }

    static let null = reference(0)

    /// The archive with a root object.
    func data(root: String) -> Data {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>$version</key><integer>100000</integer><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$top</key><dict><key>root</key>\(root)</dict>
            <key>$objects</key><array>\(objects.joined())</array></dict></plist>
            """
        return Data(text.utf8)
    }

    /// Returns bytes as raw DEFLATE in blocks that are not compressed (RFC 1951, section 3.2.4).
    static func deflated(_ data: Data) -> Data {
        var result = Data()
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for value in [count, ~count] { result.append(contentsOf: [UInt8(value & 0xFF), UInt8(value >> 8)]) }
            result.append(block)
        } while !rest.isEmpty
        return result
    }
}

extension ModelArchive {
    /// A model of an abstract `Animal` and its child `Dog`, which has an owner.
    ///
    /// `Dog` has the inherited `name` once as a proxy, and `born` as a full copy.
    static var animals: Data {
        var archive = Self()
        let (model, animal, dog, person) = (archive.reserve(), archive.reserve(), archive.reserve(), archive.reserve())
        let name = archive.attribute("name", 700, ["NSDefaultValue": archive.string("Rex")])
        let born = archive.attribute("born", 900, ["NSIsOptional": "<true/>"])
        let proxy = archive.add("_NSPropertyDescriptionProxy", ["NSPropertyName": archive.string("name")])
        let photo = archive.attribute("photo", 1000, ["NSFlagsKey": "<integer>4</integer>"])
        let owner = archive.relationship("owner", to: "Person", inverse: "dogs", maximum: 1)
        let dogs = archive.relationship("dogs", to: "Dog", inverse: "owner", maximum: 0)
        archive.set(
            animal,
            "NSEntityDescription",
            [
                "NSEntityName": archive.string("Animal"), "NSIsAbstract": "<true/>", "NSSuperentity": null,
                "NSProperties": archive.dictionary(["name": name, "born": born]),
                "NSRenamingIdentifier": archive.string("Beast"), "NSManagedObjectModel": reference(model),
            ]
        )
        archive.set(
            dog,
            "NSEntityDescription",
            [
                "NSEntityName": archive.string("Dog"), "NSSuperentity": reference(animal),
                "NSProperties": archive.dictionary(["name": proxy, "born": born, "photo": photo, "owner": owner]),
                "NSRenamingIdentifier": archive.string("Dog"),
                "NSClassNameForEntity": archive.string("NSManagedObject"),
            ]
        )
        archive.set(
            person,
            "NSEntityDescription",
            [
                "NSEntityName": archive.string("Person"), "NSProperties": archive.dictionary(["dogs": dogs]),
                "NSUniqueTuples": archive.array([archive.array([archive.string("dogs")])]),
            ]
        )
        let mapping = archive.add(
            "NSKnownKeysMappingStrategy1",
            ["keys": archive.array(["Animal", "Dog", "Person"].map { archive.string($0) })]
        )
        let entities = archive.add(
            "NSKnownKeysDictionary1",
            ["searchMapping": mapping, "values": archive.array([animal, dog, person].map(reference))]
        )
        let identifiers = archive.array([archive.string("Animals 1")], "NSSet")
        archive.set(
            model,
            "NSManagedObjectModel",
            ["NSEntities": entities, "NSVersionIdentifiers": identifiers, "NSFetchRequestTemplates": null]
        )
        return archive.data(root: reference(model))
    }

    /// The same model as a binary property list, as a `.mom` contains it.
    static var animalsInBinary: Data {
        get throws {
            let list = try PropertyListSerialization.propertyList(from: animals, format: nil)
            return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        }
    }

    mutating func attribute(
        _ name: String,
        _ type: Int,
        _ fields: KeyValuePairs<String, String> = ["NSIsOptional": "<true/>"]
    ) -> String {
        let all =
            [("NSPropertyName", string(name)), ("NSAttributeType", "<integer>\(type)</integer>")]
            + fields.map { ($0.key, $0.value) }
        reserve()
        let number = objects.count - 1
        let text = all.map { "<key>\($0.0)</key>\($0.1)" }.joined()
        objects[number] = "<dict><key>$class</key>\(reference(toClass: "NSAttributeDescription"))\(text)</dict>"
        return Self.reference(number)
    }

    mutating func relationship(_ name: String, to entity: String, inverse: String, maximum: Int) -> String {
        add(
            "NSRelationshipDescription",
            [
                "NSPropertyName": string(name), "_NSDestinationEntityName": string(entity),
                "_NSInverseRelationshipName": string(inverse), "NSMaxCount": "<integer>\(maximum)</integer>",
                "NSMinCount": "<integer>0</integer>", "NSDeleteRule": "<integer>2</integer>",
                "NSIsOptional": "<true/>",
            ]
        )
    }
}
