import Foundation
import Testing

@testable import TransformablePostgres  // How names are told from values is internal.

@Suite struct BlobNameTests {
    private static let name = "blob:E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

    @Test(arguments: [
        (name, true), (name + "\0", true), (name + "\0\0\0", true), ("blob:00000000-0000-0000-0000-000000000000", true),
        ("", false), ("blob:", false), (String(name.dropLast()), false), (name + "\0x", false), (name + "0", false),
        (name.lowercased(), false), (name.replacing("blob:", with: "Blob:"), false),
        ("blob:E621E1F80C36C-495A-93FC-0C247A3E6E5F", false), ("blob:G621E1F8-C36C-495A-93FC-0C247A3E6E5F", false),
    ])
    func recognizesNames(_ text: String, _ isName: Bool) {
        #expect(BlobName.begins(Data(text.utf8)) == isName)
        #expect(BlobName.begins(Array(text.utf8)[...]) == isName)
    }

    @Test(arguments: [
        (name, name + "\0"), (name + "\0", name + "\0\0"), (name + "\0x", name + "\0x"),
        ("blob:\0", "blob:\0"), ("", ""),
    ])
    func addsAZeroToValuesThatCouldBeTakenForNames(_ value: String, stored: String) {
        #expect(BlobName.escape(Data(value.utf8)) == Data(stored.utf8))
        let (isName, count) = BlobName.split(Data(stored.utf8))
        #expect(!isName && count == value.utf8.count)
    }

    @Test func storesNamesAsTheyAre() {
        let (isName, count) = BlobName.split(Array(Self.name.utf8)[...])
        #expect(isName && count == 41)
    }
}
