/// A position in a text, as editors show it.
struct TextPlace: CustomStringConvertible {
    let description: String

    init(_ offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
        description = "line \(line), column \(column)"
    }
}
