import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// Values out of archives that are written by hand.
@Suite struct ArchivedValueReaderTests {
    private static func archive(_ archiver: String = "NSKeyedArchiver", root: String, _ objects: String...) -> Data {
        let list = objects.joined(separator: "\n")
        let text = """
            <plist version="1.0"><dict>
            <key>$archiver</key><string>\(archiver)</string><key>$version</key><integer>100000</integer>
            <key>$top</key><dict><key>root</key>\(root)</dict>
            <key>$objects</key><array><string>$null</string>\(list)</array></dict></plist>
            """
        return Data(text.utf8)
    }

    private static func reference(_ number: Int) -> String {
        "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }

    private static func object(_ classNumber: Int, _ fields: (String, String)...) -> String {
        let fields = [("$class", reference(classNumber))] + fields
        return "<dict>" + fields.map { "<key>\($0)</key>\($1)" }.joined() + "</dict>"
    }

    private static func list(_ numbers: Int...) -> String {
        "<array>" + numbers.map(reference).joined() + "</array>"
    }

    private static func describe(_ name: String) -> String {
        "<dict><key>$classname</key><string>\(name)</string></dict>"
    }

    /// Only a field of an object holds a list that is no object.
    @Test(arguments: [
        archive(root: list(1), "<string>a</string>"),
        archive(root: reference(1), object(2, ("NS.objects", "<array><array/></array>")), describe("NSArray")),
        archive(root: reference(1), object(2, ("list", "<array><array/></array>")), describe("Acme")),
    ])
    func misplacedListsAreErrors(archive: Data) throws {
        #expect(try Archive(archive).topKeys == ["root"])
        let error = #expect(throws: TransformerError.self) { try ArchivedValueTransformer().decode(archive) }
        #expect(error?.code == .invalidData)
    }

    /// Objects within objects, with lists, nulls and values before and behind.
    @Test func listsStayWithTheirObjects() throws {
        let inner = Self.object(5, ("b", Self.list(0, 3)), ("c", "<integer>7</integer>"))
        let outer = Self.object(
            5,
            ("a", Self.list(3, 0)),
            ("o", Self.reference(2)),
            ("z", Self.list(2, 4)),
            ("n", Self.reference(0))
        )
        let array = Self.object(6, ("NS.objects", Self.list(3, 2)))
        let bytes = Self.archive(
            root: Self.reference(1),
            outer,
            inner,
            "<string>s</string>",
            array,
            Self.describe("Acme"),
            Self.describe("NSArray")
        )
        let acme = ArchivedClass("Acme", chain: [])
        let inside = ArchivedValue.object(
            ArchivedInstance(acme, fields: ["b": .objects([nil, "s"]), "c": .inline(7)])
        )
        let outside = ArchivedInstance(
            acme,
            fields: [
                "a": .objects(["s", nil]), "o": .object(inside), "n": .object(nil),
                "z": .objects([inside, .array(["s", inside])]),
            ]
        )
        #expect(try ArchivedValueTransformer().decode(bytes) == .object(outside))
    }

    /// The form of old archives, with a field for each key and each value.
    @Test func numberedFieldsAreMembers() throws {
        let dictionary = Self.object(
            5,
            ("NS.key.0", Self.reference(3)),
            ("NS.object.0", Self.reference(2)),
            ("NS.key.1", Self.reference(4)),
            ("NS.object.1", Self.reference(4))
        )
        let array = Self.object(6, ("NS.object.0", Self.reference(4)), ("NS.object.1", Self.reference(3)))
        let bytes = Self.archive(
            root: Self.reference(1),
            dictionary,
            array,
            "<string>a</string>",
            "<string>b</string>",
            Self.describe("NSDictionary"),
            Self.describe("NSArray")
        )
        #expect(try ArchivedValueTransformer().decode(bytes) == ["a": ["b", "a"], "b": "b"])
    }

    /// `NSKeyedArchiver` writes the name of its own class: a subclass's is another one.
    @Test(arguments: ["NSKeyedArchiver", "NRKeyedArchiver"])
    func recognizesArchiversByName(archiver: String) throws {
        let bytes = Self.archive(archiver, root: Self.reference(1), "<string>x</string>")
        #expect(try ArchivedValueTransformer().decode(bytes) == "x")
    }

    @Test func otherArchiversAreRejected() {
        let bytes = Self.archive("NSArchiver", root: Self.reference(1), "<string>x</string>")
        let error = #expect(throws: TransformerError.self) { try Archive(bytes) }
        #expect(error?.code == .unsupported)
    }
}
