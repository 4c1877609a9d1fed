import Foundation
import FoundationNetworking
import ObjectArchivePlugin
import Testing
import Transformable

/// Classes of Foundation's networking are not objects here, since their own coding traps.
@Suite struct NetworkingObjectTests {
    @Test func rejectsRequestsAsObjects() {
        let address = URL(string: "https://example.com/a?b=c") ?? URL(filePath: "/")
        let refused = #expect(throws: TransformerError.self) {
            try TransformerRegistry { ObjectArchivePlugin() }.transformer("keyed-archive", for: NSURLRequest.self)
        }
        #expect(refused?.code == .unsupported)
        #expect(refused?.message.hasPrefix("the coding of the Foundation class NSURLRequest") == true)
        let held = #expect(throws: TransformerError.self) {
            try ObjectArchiveTransformer<Box>().encode(Box(NSURLRequest(url: address)))
        }
        #expect(held?.code == .unsupported)
    }
}
