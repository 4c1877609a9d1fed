import EncryptionPlugin
import Foundation
import StandardPlugin
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// The same text in every kind of attribute that a condition can use.
@Entity
final class Saying {
    var plain = ""
    @Attribute(.indexed) var indexed = ""
    @Attribute(.unique) var unique = ""
    @Attribute(transformer: "text | sealed", .projected("blind-index(bits: 16)")) var sealed = ""
    @Attribute(transformer: "text | sealed") var hidden = ""
    @Attribute(transformer: "text", .projected("lowercase", as: "lower")) var lowered = ""

    init() {}
}

/// Sayings in a store, with text in many scripts that is often equal but has different scalars.
struct Sayings {
    enum Arrangement: CaseIterable {
        /// Saved, with text as it was written.
        case saved
        /// Saved, with text in the composed form only, so that indexes of columns serve everything.
        case composed
        /// A third is saved, a third is saved and changed since, and a third is not saved yet.
        case pending
    }

    static let count = 60

    let context: StoreContext
    let objects: [Saying]

    init(_ arrangement: Arrangement, seed: UInt64) throws {
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: try KeyRing.empty.addingKey())
        }
        let store = try Store.inMemory(for: Saying.self, transformers: registry)
        context = store.makeContext()
        var texts = MixedText(seed: seed)
        var unique: Set<String> = []
        let rows = (0..<Self.count)
            .map { _ in
                var next = texts.next()
                while !unique.insert(next).inserted { next = texts.next() }
                let row = [next] + (0..<5).map { _ in texts.next() }
                return arrangement == .composed ? row.map(MixedText.composed) : row
            }
        var sayings: [Saying] = []
        for (index, row) in rows.enumerated() {
            let saying = context.insert(Saying())
            saying.set(arrangement == .pending && index % 3 == 1 ? row.map { "\(index) \($0)" } : row)
            sayings.append(saying)
            if arrangement == .pending, index == Self.count * 2 / 3 { try context.save() }
        }
        if arrangement != .pending { try context.save() }
        for (index, row) in rows.enumerated() where arrangement == .pending && index % 3 == 1 {
            sayings[index].set(row)
        }
        objects = sayings
    }
}

@available(*, unavailable)
extension Sayings: Sendable {}

extension Saying {
    fileprivate func set(_ texts: [String]) {
        unique = texts[0]
        plain = texts[1]
        indexed = texts[2]
        sealed = texts[3]
        hidden = texts[4]
        lowered = texts[5]
    }
}

/// Random text of many scripts.
struct MixedText {
    /// Letters and marks that the normalization forms treat in different ways.
    private static let pieces = [
        // Latin: composed, decomposed, marks in either order, marks that are not reordered, and case.
        "a", "A", "b", "ß", "ss", "SS", "\u{E9}", "e\u{301}", "e", "\u{1EC7}", "e\u{323}\u{302}", "e\u{302}\u{323}",
        "\u{EA}\u{323}", "a\u{301}\u{300}", "a\u{300}\u{301}", "\u{1E9B}\u{323}", "q\u{307}\u{323}", "q\u{323}\u{307}",
        "i\u{307}", "\u{130}", "ı", "\u{301}", "\u{345}",
        // Singletons and compatibility characters: only the former are canonically equivalent to others.
        "\u{212B}", "\u{C5}", "A\u{30A}", "\u{212A}", "K", "\u{2126}", "Ω", "\u{37E}", ";", "ﬁ", "fi", "ﬀ", "①", "1",
        // Greek and Cyrillic.
        "σ", "ς", "Σ", "\u{1F80}", "\u{3B1}\u{313}\u{345}", "й", "\u{438}\u{306}",
        // Hangul: syllables, jamo, a syllable and a final consonant, jamo that make no syllable.
        "\u{AC01}", "\u{1100}\u{1161}\u{11A8}", "\u{AC00}\u{11A8}", "\u{AC00}", "\u{1100}\u{1161}", "\u{1100}",
        "\u{1161}", "\u{11A8}", "\u{D7A3}", "\u{A960}\u{1161}", "\u{3131}",
        // Hebrew and Arabic with points, in either order.
        "\u{5E9}\u{5C1}", "\u{FB2A}", "\u{5E9}\u{5BC}\u{5C1}", "\u{5E9}\u{5C1}\u{5BC}", "\u{FB2C}", "\u{5D0}\u{5B8}",
        "\u{FB2F}", "\u{628}\u{64E}\u{651}", "\u{628}\u{651}\u{64E}", "\u{622}", "\u{627}\u{653}", "\u{644}\u{627}",
        "\u{FEFB}",
        // Devanagari with nukta, Bengali, Tamil, Thai, Lao, Tibetan, Burmese. Not U+0F73, which Swift 6.3 takes apart
        // without putting the parts in order.
        "\u{958}", "\u{915}\u{93C}", "\u{929}", "\u{928}\u{93C}", "\u{915}\u{94D}\u{937}", "\u{9CB}",
        "\u{9C7}\u{9BE}", "\u{BCA}", "\u{BC6}\u{BBE}", "\u{E01}\u{E33}", "\u{E19}\u{E49}\u{E33}",
        "\u{E1C}\u{E39}\u{E49}", "\u{E1C}\u{E49}\u{E39}", "\u{E81}\u{EB3}", "\u{F71}\u{F72}", "\u{F72}\u{F71}",
        "\u{1026}",
        "\u{1025}\u{102E}",
        // Kana with voicing, ideographs and those that are the same.
        "\u{30AC}", "\u{30AB}\u{3099}", "\u{FF76}\u{FF9E}", "漢", "\u{F900}", "\u{8C48}", "\u{2F800}", "\u{4E3D}", "𠮷",
        // Emoji: modifiers, joined, flags, styles.
        "👍", "👍🏽", "👩", "👩‍👧", "👩🏽‍🚀", "🇫🇷", "🇫", "❤", "❤️", "1️⃣", "\u{200D}", "\u{FE0F}", "🏽",
        // Letters above U+FFFF, of which some combine with each other.
        "\u{1109A}", "\u{11099}\u{110BA}", "\u{10301}", "\u{10338}",
        // The ends of lines, texts, and planes.
        "\r\n", "\r", "\n", "\0", " ", "\u{A0}", "\u{7F}", "\u{FFFD}", "\u{E000}", "\u{10FFFF}", "%", "_", "'", "\\",
    ]

    private var random: Xorshift

    init(seed: UInt64) {
        random = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    }

    /// Returns a text of up to four pieces, which is occasionally empty.
    mutating func next() -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    /// Returns a text to compare with: one from a list in some normalization, a part of it, an extension, or another
    /// text.
    mutating func operand(near texts: [String]) -> String {
        let text = texts.randomElement(using: &random) ?? ""
        let count = Int.random(in: 0...text.count, using: &random)
        return switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: text
        case 2: text.decomposedStringWithCanonicalMapping
        case 3: Self.composed(text)
        case 4: String(text.prefix(count)).decomposedStringWithCanonicalMapping
        case 5: Self.composed(String(text.suffix(count)))
        // A part that ends inside a character.
        case 6: String(String.UnicodeScalarView(text.decomposedStringWithCanonicalMapping.unicodeScalars.prefix(count)))
        case 7: text + next()
        case 8: text.uppercased()
        default: next()
        }
    }

    /// The composed form (NFC); Foundation leaves some syllables of Hangul in two parts, unless it takes the text
    /// apart.
    static func composed(_ text: String) -> String {
        text.decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
    }

    /// The order that Swift documents for strings: that of the scalars of the composed form.
    ///
    /// The `<` of Swift 6.3 departs from it where texts part inside a syllable of Hangul or before a nukta.
    static func precedes(_ text: String, _ other: String) -> Bool {
        composed(text).unicodeScalars.lexicographicallyPrecedes(composed(other).unicodeScalars)
    }
}
