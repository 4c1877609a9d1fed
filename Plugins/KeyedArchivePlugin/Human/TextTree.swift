internal import Foundation
internal import Transformable

/// Lines of text, indented by their level.
struct TextTree {
    /// The maximum indentation, so that a deep tree does not take a quadratic amount of memory.
    private static let deepestIndentation = 60
    private static let longestText = 200
    private static let mostBytes = 32

    private(set) var text = ""

    mutating func add(_ line: String, depth: Int) {
        text += String(repeating: "  ", count: min(depth, Self.deepestIndentation))
        text += line
        text += "\n"
    }

    /// Returns a string in quotation marks, truncated if it is long.
    static func quoted(_ string: String) -> String {
        let shown = string.unicodeScalars.prefix(longestText)
        let escaped = shown.map { $0.value < 0x20 ? $0.escaped(asASCII: false) : String($0) }.joined()
        let isWhole = shown.endIndex == string.unicodeScalars.endIndex
        return isWhole ? "“\(escaped)”" : "“\(escaped)…” (\(string.utf8.count) bytes)"
    }

    static func bytes(_ data: Data) -> String {
        let digits = HexadecimalText.text(of: data.prefix(mostBytes))
        let rest = data.count > mostBytes ? "…" : ""
        return data.isEmpty ? "no bytes" : "\(data.count.counted("byte")): \(digits)\(rest)"
    }

    static func date(_ seconds: Double) -> String {
        seconds.exactDateText ?? "\(seconds) s since 2001"
    }
}
