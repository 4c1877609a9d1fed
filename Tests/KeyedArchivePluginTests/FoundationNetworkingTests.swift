import Foundation
import FoundationNetworking
import KeyedArchivePlugin
import Testing
import Transformable

/// Classes of Foundation's networking come through as data.
@Suite struct FoundationNetworkingTests {
    struct Case: CustomTestStringConvertible, @unchecked Sendable {
        // Nothing changes it.
        let object: NSObject
        let className: String

        var testDescription: String { className }
    }

    static let address = URL(string: "https://example.com/a?b=c") ?? URL(filePath: "/")
    static let cases = [
        Case(
            object: URLCredential(user: "ada", password: "secret", persistence: .forSession),
            className: "NSURLCredential"
        ),
        Case(object: NSURLRequest(url: address), className: "FoundationNetworking.NSURLRequest"),
        Case(
            object: URLResponse(url: address, mimeType: "text/plain", expectedContentLength: 5, textEncodingName: nil),
            className: "NSURLResponse"
        ),
    ]

    @Test(arguments: cases)
    func preservesObjectsAsData(case: Case) throws {
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: `case`.object, requiringSecureCoding: false)
        let transformer = ArchivedValueTransformer()
        let value = try transformer.decode(bytes)
        guard case .object(let instance) = value else {
            Issue.record("\(value.json) is no object")
            return
        }
        #expect(instance.archivedClass.name == `case`.className)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: transformer.encode(value))
        unarchiver.requiresSecureCoding = false
        #expect(`case`.object.isEqual(unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)))
    }
}
