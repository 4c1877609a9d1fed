internal import Foundation

/// Finds the first place at which a text is not JSON (RFC 8259), for a message: Foundation does not say where that is.
struct JSONSyntaxCheck {
    /// What is wrong, and at which byte.
    struct Fault: Error {
        let offset: Int
        let message: String
    }

    private static let depthLimit = 500
    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: Data) {
        bytes = Array(text)
    }

    /// Looks for a fault.
    ///
    /// - Parameter text: Any bytes.
    /// - Returns: “line 2, column 9: a value is expected”; nil if nothing is wrong.
    static func firstFault(in text: Data) -> String? {
        guard String(validating: text, as: UTF8.self) != nil else { return "it is not UTF-8" }
        var check = Self(text)
        do throws(Fault) {
            try check.value(depth: 0)
            check.skipSpace()
            if check.byte != nil { throw check.fault("nothing may follow the value") }
            return nil
        } catch {
            return "\(TextPlace(error.offset, in: check.bytes)): \(error.message)"
        }
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fault(_ message: String) -> Fault {
        Fault(offset: position, message: byte == nil ? "the text ends too early" : message)
    }

    private mutating func skipSpace() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(Fault) {
        guard depth < Self.depthLimit else { throw fault("the text is nested deeper than \(Self.depthLimit) levels") }
        if take("{") {
            try list(until: "}") { check throws(Fault) in
                check.skipSpace()
                guard check.byte == UInt8(ascii: "\"") else { throw check.fault("a key in quotes is expected") }
                try check.string()
                guard check.take(":") else { throw check.fault("“:” is expected") }
                try check.value(depth: depth + 1)
            }
        } else if take("[") {
            try list(until: "]") { check throws(Fault) in try check.value(depth: depth + 1) }
        } else if byte == UInt8(ascii: "\"") {
            try string()
        } else {
            try word()
        }
    }

    /// Elements with commas between them.
    private mutating func list(
        until end: Unicode.Scalar,
        _ element: (inout Self) throws(Fault) -> Void
    ) throws(Fault) {
        guard !take(end) else { return }
        repeat { try element(&self) } while take(",")
        guard take(end) else { throw fault("“,” or “\(end)” is expected") }
    }

    private mutating func string() throws(Fault) {
        position += 1
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw fault("a control character must be escaped in a text") }
            position += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            guard let escaped = self.byte, "\"\\/bfnrtu".utf8.contains(escaped) else {
                throw fault("this is no escape that JSON knows")
            }
            position += 1
        }
        guard byte != nil else { throw fault("the text ends too early") }
        position += 1
    }

    /// A number or one of three words.
    private mutating func word() throws(Fault) {
        let start = position
        while let byte, !",:[]{}\" \n\r\t".utf8.contains(byte) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        let isNumber = word.first.map { $0 == "-" || $0.isNumber } == true && Double(word)?.isFinite == true
        guard !isNumber, !["true", "false", "null"].contains(word) else { return }
        position = start
        throw fault("a value is expected")
    }
}

/// A place in a text as editors show it.
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
