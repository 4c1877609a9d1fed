import Foundation
import Testing
import Transformable

/// Before a confidential stage, and behind it, no error may quote what it was given.
@Suite struct RedactionTests {
    let sealedWord = Stages.word.then(TextTransformer()).then(Stages.flipped)

    private func flipped(_ text: String) -> Data {
        Data(text.utf8.map { ~$0 })
    }

    @Test func withholdsMessagesOfEncoders() {
        let error = #expect(throws: TransformerError.self) { try sealedWord.encode("top secret") }
        #expect(error?.code == .invalidValue)
        #expect(error.map { "\($0)" }?.contains("secret") == false)
    }

    @Test func withholdsMessagesOfDecoders() {
        let error = #expect(throws: TransformerError.self) { try sealedWord.decode(flipped("top secret")) }
        #expect(error?.code == .invalidValue)
        #expect(error?.underlying == nil)
        #expect(error.map { String(reflecting: $0) }?.contains("secret") == false)
    }

    @Test func withholdsOffsets() {
        let error = #expect(throws: TransformerError.self) { try sealedWord.decode(Data([~0x61, ~0xFF])) }
        #expect(error?.code == .invalidData)
        #expect(error?.offset == nil)
    }

    @Test func withholdsMessagesInAnyGroupingOfStages() {
        let grouped = Stages.word.then(TextTransformer().then(Stages.flipped))
        let error = #expect(throws: TransformerError.self) { try grouped.decode(flipped("top secret")) }
        #expect(error.map { String(reflecting: $0) }?.contains("secret") == false)
    }

    @Test func withholdsMessagesInComparisonsAndCandidates() {
        let unchanged = #expect(throws: TransformerError.self) {
            try sealedWord.isUnchanged("top secret", since: Data(), in: .none)
        }
        let candidates = #expect(throws: TransformerError.self) {
            try sealedWord.candidates(for: "top secret", in: .none)
        }
        #expect([unchanged, candidates].allSatisfy { $0.map { "\($0)".contains("secret") } == false })
    }

    @Test func showsMessagesOfStagesAfterEncryption() {
        let composed = Stages.flipped.then(Stages.salted)
        let error = #expect(throws: TransformerError.self) { try composed.decode(Data()) }
        #expect(error?.message == "the salt is missing")
    }

    @Test func aKeyOfADictionaryIsNotSafeToShow() {
        let refusing = OneWayFunctionTransformer<String, Int64> { _ in
            throw TransformerError.invalidValue("the format is unknown").safeToShow()
        }
        let error = #expect(throws: TransformerError.self) {
            try refusing.ofDictionary(keyedBy: String.self).encode(["secret": "x"])
        }
        #expect(error?.message == "at key “secret”: the format is unknown")
        #expect(error?.isSafeToShow == false)
        let indexed = #expect(throws: TransformerError.self) { try refusing.ofArray.encode(["x"]) }
        #expect(indexed?.isSafeToShow == true)
    }

    @Test func namesTheStageInARegistry() throws {
        let registry = try TransformerRegistry {
            Registration("word", Stages.word)
            Registration("flipped", Stages.flipped)
        }
        let transformer = try registry.transformer("word | flipped", for: String.self)
        let error = #expect(throws: TransformerError.self) { try transformer.decode(flipped("top secret")) }
        #expect(error?.transformer == "word")
        #expect(error?.message.contains("word") == true)
        #expect(error.map { String(reflecting: $0) }?.contains("secret") == false)
    }
}

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
