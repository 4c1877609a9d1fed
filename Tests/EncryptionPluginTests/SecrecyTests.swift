import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// Nothing that is printed, dumped or thrown holds plaintext or keys.
@Suite struct SecrecyTests {
    private static let canary = "canary-51ca1f"

    /// The secret's digits in a file, and what a dump of raw bytes would print of them.
    private func secrets(of ring: KeyRing) throws -> [String] {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.keys")
        try ring.write(to: url)
        let text = try String(contentsOf: url, encoding: .utf8)
        return text.matches(of: /tfm-key-([0-9a-f]{64})/)
            .flatMap { match in
                let digits = String(match.output.1)
                let bytes = stride(from: 0, to: 64, by: 2)
                    .compactMap { index in
                        let start = digits.index(digits.startIndex, offsetBy: index)
                        return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
                    }
                return [digits, "\(bytes.prefix(4))".dropLast().description]
            }
    }

    @Test func noDescriptionShowsAKey() throws {
        let ring = try KeyRing.empty.addingKey(named: "clinic").rotatingKey()
        let secrets = try secrets(of: ring)
        #expect(secrets.count == 4)
        let plugin = EncryptionPlugin(keys: ring)
        let sealed = SealedTransformer(keys: ring)
        _ = try sealed.encode(Data(), in: .cell)
        var printed = ""
        dump(ring, to: &printed)
        dump(plugin, to: &printed)
        dump(sealed, to: &printed)
        dump(HMACTransformer(.sha256, keys: ring), to: &printed)
        dump(BlindIndexTransformer<String>(keys: ring), to: &printed)
        dump(ring.generations(of: "clinic"), to: &printed)
        printed += "\(ring)\(plugin)\(sealed)\(String(reflecting: ring))\(String(reflecting: plugin))"
        for secret in secrets {
            #expect(!printed.contains(secret))
        }
        #expect("\(ring)" == "KeyRing(clinic)")
    }

    @Test(arguments: ["sealed", "sealed(deterministic: true)", "sha256", "hmac-sha256", "blind-index", "blake2b"])
    func noErrorQuotesThePlaintext(last: String) throws {
        let leaky = OneWayFunctionTransformer<String, Data> { value in
            throw TransformerError.invalidValue("“\(value)” is bad", underlying: CocoaError(.fileNoSuchFile))
        }
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry {
            EncryptionPlugin(keys: ring)
            Registration("leaky", leaky)
        }
        let resolved = try registry.resolve("leaky | \(last)", for: String.self, ending: .column)
        let error = #expect(throws: TransformerError.self) { try resolved.encode(any: Self.canary, in: .none) }
        #expect(error.map { "\($0)\(String(reflecting: $0))".contains("canary") } == false)
        #expect(error?.underlying == nil)
    }

    @Test func noFailureToOpenQuotesThePlaintext() throws {
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry {
            EncryptionPlugin(keys: ring)
            Registration(
                "number",
                FunctionTransformer<Int, Data>(
                    encode: { Data("\($0)".utf8) },
                    decode: {
                        throw TransformerError.invalidData("“\(String(decoding: $0, as: UTF8.self))” is no number")
                    }
                )
            )
        }
        let bytes = try SealedTransformer(keys: ring).encode(Data(Self.canary.utf8))
        let transformer = try registry.transformer("number | sealed", for: Int.self)
        let error = #expect(throws: TransformerError.self) { try transformer.decode(bytes) }
        #expect(error.map { "\($0)\(String(reflecting: $0))".contains("canary") } == false)
        #expect(bytes.range(of: Data(Self.canary.utf8)) == nil)
    }
}
