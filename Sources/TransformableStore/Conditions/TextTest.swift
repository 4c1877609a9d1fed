internal import Foundation
internal import Transformable

extension TextOptions {
    /// Returns the text without the differences that the options ignore, in composed form.
    func folded(_ text: String) -> String {
        guard !isEmpty else { return text }
        if text.utf8.allSatisfy({ $0 < 128 }) {
            return contains(.caseInsensitive) ? String(decoding: text.utf8.map(Self.lowercased), as: UTF8.self) : text
        }
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return text.folding(options: options, locale: nil).composed
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}

/// Tests of a part of a string.
///
/// Patterns are matched by scalars, and other parts by characters.
enum TextTest {
    case contains
    case startsWith
    case endsWith
    case like

    /// Returns a function that tests strings against a fixed string.
    ///
    /// Both are folded first.
    func matcher(_ operand: String, _ options: TextOptions) -> (String) -> Bool {
        let operand = options.folded(operand)
        let pattern = LikePattern(operand.composed)
        let isPlain = operand.isPlain
        return { text in
            let text = options.folded(text)
            let isPlain = isPlain && text.utf8.allSatisfy { $0 < 128 }
            return switch self {
            case .contains: TextSearch.contains(text, operand, isPlain)
            case .startsWith: isPlain ? text.utf8.starts(with: operand.utf8) : text.starts(with: operand)
            case .endsWith: TextSearch.ends(text, operand, isPlain)
            case .like: pattern.matches(text.composed)
            }
        }
    }
}

extension Condition.Comparison {
    /// The text test that the comparison makes, along with its operand.
    var textTest: (test: TextTest, operand: Operand)? {
        switch self {
        case .contains(let operand): (.contains, operand)
        case .startsWith(let operand): (.startsWith, operand)
        case .endsWith(let operand): (.endsWith, operand)
        case .like(let operand): (.like, operand)
        default: nil
        }
    }
}
