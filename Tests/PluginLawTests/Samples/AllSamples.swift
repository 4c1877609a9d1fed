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
