import Foundation
import Testing
import Transformable

extension TransformerError.Code {
    fileprivate static let ofAcme = Self(rawValue: "acme-is-closed")
}

@Suite struct TransformerErrorTests {
    @Test func comparesCodes() {
        #expect(TransformerError.invalidData("a", offset: 1) == TransformerError.invalidData("b"))
        #expect(TransformerError.invalidData("a") != TransformerError.invalidValue("a"))
        #expect(TransformerError(.ofAcme, "a").code.description == "acme-is-closed")
    }

    @Test func describesEverythingOnOneLine() {
        let error = TransformerError(
            .limitExceeded,
            "the image is too wide",
            transformer: "png",
            offset: 16,
            underlying: TransformerError.invalidData("no header")
        )
        #expect(error.description == "png: the image is too wide (at byte 16): no header")
        #expect(TransformerError.limitExceeded("too much").description == "too much")
    }
}
