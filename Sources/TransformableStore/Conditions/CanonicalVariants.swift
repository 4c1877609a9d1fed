internal import Foundation

/// The strings that Swift considers equal to a string because different scalars can represent the same characters.
///
/// A byte-by-byte comparison with each of them gives the same result as a comparison by characters, and can use an
/// index.
struct CanonicalVariants {
    // More marks than a character of any language has. Their variants would take too long to collect.
    private static let mostMarks = 32

    /// The strings, or the prefixes of all of them if there would be too many.
    private(set) var texts = [""]
    private(set) var isComplete = true

    /// Creates the variants of a string.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum number of variants or prefixes.
    init(of text: String, limit: Int = 64) {
        guard !text.hasOneForm else {
            texts = [text]
            return
        }
        var rest = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)[...]
        while let first = rest.popFirst() {
            let following = rest.prefix(while: Composites.continue)
            guard following.count <= Self.mostMarks else {
                isComplete = false
                return
            }
            rest = rest.dropFirst(following.count)
            var forms: [String] = []
            Self.collect([first] + following, after: "", limit: limit, into: &forms)
            guard texts.count * forms.count <= limit else {
                isComplete = false
                return
            }
            append(forms)
        }
    }

    private mutating func append(_ forms: [String]) {
        guard forms.count > 1 else {
            for index in texts.indices { texts[index] += forms[0] }
            return
        }
        texts = texts.flatMap { text in forms.map { text + $0 } }
    }

    /// Collects the variants of decomposed scalars, and stops at a limit.
    private static func collect(
        _ scalars: [Unicode.Scalar],
        after start: String,
        limit: Int,
        into forms: inout [String]
    ) {
        guard forms.count <= limit else { return }
        guard !scalars.isEmpty else { return forms.append(start) }
        for place in movable(scalars) {
            var rest = scalars
            let first = rest.remove(at: place)
            collect(rest, after: start + String(first), limit: limit, into: &forms)
            for composite in Composites.beginning(with: first) {
                guard let left = removing(composite.others, from: rest) else { continue }
                collect(left, after: start + String(composite.scalar), limit: limit, into: &forms)
            }
        }
    }

    /// Returns the positions of the scalars that may come first, because marks of different classes have no order.
    private static func movable(_ scalars: [Unicode.Scalar]) -> [Int] {
        let marks = scalars.prefix { $0.combiningClass != .notReordered }
        guard marks.count > 1 else { return [0] }
        return marks.indices.filter { $0 == 0 || marks[$0].combiningClass != marks[$0 - 1].combiningClass }
    }

    /// Returns the scalars that remain after others, each of which may come first, are removed one by one.
    private static func removing(_ others: [Unicode.Scalar], from scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        var rest = scalars
        for other in others {
            guard !rest.isEmpty, let place = movable(rest).first(where: { rest[$0] == other }) else { return nil }
            rest.remove(at: place)
        }
        return rest
    }
}

extension String {
    /// Whether no other scalars represent the same characters.
    ///
    /// This is the case for most of ASCII.
    var hasOneForm: Bool {
        // Three ASCII characters have a canonical equivalent: the Kelvin sign, the Greek question mark, and varia.
        utf8.allSatisfy { $0 < 128 && $0 != UInt8(ascii: "K") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "`") }
    }

    /// The longest prefix whose characters no other scalars represent.
    var beginningOfOneForm: String {
        String(unicodeScalars.prefix { String($0).hasOneForm })
    }
}

extension Unicode.Scalar {
    fileprivate var combiningClass: Unicode.CanonicalCombiningClass { properties.canonicalCombiningClass }
}

/// The scalars that are canonically equivalent to one or more others.
private enum Composites {
    struct Composite {
        let scalar: Unicode.Scalar
        /// The rest of its decomposition, after the first scalar.
        let others: [Unicode.Scalar]
    }

    /// The ranges in which Unicode has such scalars, apart from Hangul.
    private static let ranges: [ClosedRange<UInt32>] = [
        0xC0...0x233, 0x340...0x344, 0x374...0x3D4, 0x400...0x4F9, 0x622...0x626, 0x6C0...0x6D3, 0x929...0x95F,
        0x9CB...0x9DF, 0xA33...0xA5E, 0xB48...0xB5D, 0xB94...0xB94, 0xBCA...0xBCC, 0xC48...0xC48, 0xCC0...0xCCB,
        0xD4A...0xD4C, 0xDDA...0xDDE, 0xF43...0xFB9, 0x1026...0x1026, 0x1B06...0x1B43, 0x1E00...0x2001,
        0x2126...0x212B, 0x219A...0x21CF, 0x2204...0x22ED, 0x2329...0x232A, 0x2ADC...0x2ADC, 0x304C...0x30FE,
        0xF900...0xFAD9, 0xFB1D...0xFB4E, 0x105C9...0x105E4, 0x1109A...0x110AB, 0x1112E...0x1112F, 0x1134B...0x113C8,
        0x114BB...0x114BE, 0x115BA...0x115BB, 0x11938...0x11938, 0x16121...0x16128, 0x16D68...0x16D6A,
        0x1D15E...0x1D1C0, 0x2F800...0x2FA1D,
    ]

    private static let composites: [Unicode.Scalar: [Composite]] = {
        var composites: [Unicode.Scalar: [Composite]] = [:]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            let decomposed = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            guard let first = decomposed.first, first != scalar else { continue }
            composites[first, default: []].append(Composite(scalar: scalar, others: Array(decomposed.dropFirst())))
        }
        return composites
    }()

    /// The scalars of combining class 0 that can be a later part of a decomposition, such as vowels of Indic scripts.
    private static let laterParts = Set(
        composites.values.joined().flatMap(\.others).filter { $0.combiningClass == .notReordered }
    )

    /// Returns a Boolean value that indicates whether a scalar can be composed with the one before it.
    static func `continue`(_ scalar: Unicode.Scalar) -> Bool {
        scalar.combiningClass != .notReordered || Hangul.vowels.contains(scalar.value)
            || Hangul.finals.contains(scalar.value) || laterParts.contains(scalar)
    }

    /// Returns the composites whose decomposition starts with a scalar.
    static func beginning(with scalar: Unicode.Scalar) -> [Composite] {
        Hangul.leads.contains(scalar.value) ? Hangul.syllables(scalar) : composites[scalar] ?? []
    }
}

/// Korean syllables, which are computed (The Unicode Standard, section 3.12).
private enum Hangul {
    static let leads: ClosedRange<UInt32> = 0x1100...0x1112
    static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
    static let finals: ClosedRange<UInt32> = 0x11A8...0x11C2

    /// Returns all syllables that start with a leading consonant.
    static func syllables(_ lead: Unicode.Scalar) -> [Composites.Composite] {
        vowels.flatMap { vowel in
            (0...finals.count)
                .compactMap { final in
                    let index =
                        ((lead.value - leads.lowerBound) * 21 + (vowel - vowels.lowerBound)) * 28 + UInt32(final)
                    let others = [vowel] + (final == 0 ? [] : [finals.lowerBound + UInt32(final) - 1])
                    return Unicode.Scalar(0xAC00 + index)
                        .map { Composites.Composite(scalar: $0, others: others.compactMap(Unicode.Scalar.init)) }
                }
        }
    }
}
