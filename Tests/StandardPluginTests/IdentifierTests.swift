import Foundation
import StandardPlugin
import Testing
import Transformable

@Suite struct IdentifierTests {
    @Test(arguments: ["http://www.github.com/", "mailto:ada@example.org", "file:///tmp/a%20b", "http://[::1]:80/?q#f"])
    func writesURLs(text: String) throws {
        let url = try decode("url", text, as: URL.self)
        #expect(url.absoluteString == text)
        #expect(try encode("url", url, to: String.self) == text)
    }

    @Test func readsRelativeURLsOnlyOnRequest() throws {
        expectFailure(.invalidData, at: 0) { try decode("url", "a/b", as: URL.self) }
        #expect(try decode("url(relative: true)", "a/b", as: URL.self).relativePath == "a/b")
        let based = try #require(URL(string: "b", relativeTo: URL(string: "http://a/")))
        expectFailure(.invalidValue) { try encode("url", based, to: String.self) }
        #expect(try encode("url", based.absoluteURL, to: String.self) == "http://a/b")
    }

    @Test(arguments: [
        ("not a valid URL", 3), ("", nil), ("http://bücher.de", 8), ("http://a/%zz", nil), ("a:\u{0}", 2),
    ])
    func rejectsInvalidURLs(text: String, offset: Int?) {
        expectFailure(.invalidData, at: offset) { try decode("url", text, as: URL.self) }
    }

    private static let text = "4A275FBD-8217-4397-964B-403F4C2B8545"

    @Test func writesUUIDs() throws {
        let uuid = try #require(UUID(uuidString: Self.text))
        let bytes = Data(hex: "4a275fbd82174397964b403f4c2b8545")
        #expect(try encode("uuid", uuid, to: String.self) == Self.text)
        #expect(try encode("uuid(lowercase: true)", uuid, to: String.self) == Self.text.lowercased())
        #expect(try decode("uuid", Self.text.lowercased(), as: UUID.self) == uuid)
        #expect(try encode("uuid(form: bytes)", uuid, to: Data.self) == bytes)
        #expect(try decode("uuid(form: bytes)", bytes.dropFirst(0), as: UUID.self) == uuid)
    }

    @Test(arguments: [
        ("", 0), ("4A275FBD", 8), ("4A275FBD-8217-4397-964B-403F4C2B854", 35),
        ("4A275FBD-8217-4397-964B-403F4C2B85455", 36), ("{A275FBD-8217-4397-964B-403F4C2B8545", 0),
        ("4A275FBD82174397964B403F4C2B8545", 8), ("4A275FBD-8217-4397-964B-403F4C2B854G", 35),
    ])
    func rejectsInvalidUUIDs(text: String, offset: Int) {
        expectFailure(.invalidData, at: offset) { try decode("uuid", text, as: UUID.self) }
    }

    @Test func rejectsInvalidBytesOfAUUID() {
        expectFailure(.invalidData, at: 15) { try decode("uuid(form: bytes)", Data(count: 15), as: UUID.self) }
        expectFailure(.invalidData, at: 16) { try decode("uuid(form: bytes)", Data(count: 17), as: UUID.self) }
    }
}
