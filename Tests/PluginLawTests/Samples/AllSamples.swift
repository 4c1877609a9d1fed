import EncryptionPlugin
import Foundation
import GeometryPlugin
import ImagePlugin
import ObjectArchivePlugin
import StandardPlugin
import Transformable
import WebPPlugin

/// The transformers of every plugin, and samples for each of them.
enum AllSamples {
    /// A registry of every plugin of this package.
    static func registry() throws -> TransformerRegistry {
        let keys = try KeyRing.empty.addingKey(named: "clinic").addingKey(named: "archive")
        return try TransformerRegistry {
            StandardPlugin()
            GeometryPlugin()
            WebPPlugin(otherFiles: .image)
            ImagePlugin()
            // It supports the types of KeyedArchivePlugin too.
            ObjectArchivePlugin()
            EncryptionPlugin(keys: keys)
        }
    }

    /// Samples by plugin; each registered name is the first stage of at least one.
    static var all: [any SampleSet] {
        text + standardText + standardNumbers + standardValues + geometry + image + keyedArchive + encryption
    }

    private static var text: [any SampleSet] {
        [
            Samples("text", Texts.many, rejected: [Data([0xFF])]),
            Samples("text(encoding: utf-16)", Texts.many, rejected: [Data([0xD8, 0x00])]),
            Samples("text(encoding: latin-1)", ["", "naïve", "\u{0}\u{FF}"], refused: ["€", "e\u{301}"]),
        ]
    }
}

/// Texts with what is hard about text.
enum Texts {
    static let many = [
        "", " ", "abc", "größe", "gro\u{308}ße", "\u{0}", "a\u{0}b", "line\nbreak\r\n", "👨‍👩‍👧‍👦", "日本語",
        "\u{FEFF}marked", "\u{202E}reversed", "\"quoted\\\"", "<&>", String(repeating: "long ", count: 100),
    ]
}

extension AllSamples {
    /// What looks like nothing else, so that an error that shows a part of it is noticed.
    private static let secrets = [
        Data(), Data([0]), Data("Q7x!canary-of-the-clinic-51b9".utf8), Data(0...255), Data(repeating: 7, count: 1500),
    ]

    static var encryption: [any SampleSet] {
        let sealed = ["", "(key: \"archive\")", "(padding: none)", "(deterministic: true)"].map { "sealed\($0)" }
        let digests = [
            "sha256", "sha512", "blake2b", "blake2b(size: 16)", "hmac-sha256", "hmac-sha512(key: \"clinic\")",
        ]
        return (sealed + digests).map { Samples($0, secrets) }
            + [
                Samples("text | sealed", Texts.many),
                Samples("blind-index", Texts.many),
                Samples("blind-index(bits: 8, key: \"archive\")", secrets),
            ]
    }
}
