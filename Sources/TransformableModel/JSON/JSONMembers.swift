internal import Transformable

/// Reads the members of a JSON object (RFC 8259) as text.
///
/// A string is returned unescaped, null as `nil`, and anything else exactly as it is written, so that no digit is lost.
package struct JSONMembers {
    private var scanner: JSONScanner
    private var isBegun = false

    package init(_ bytes: ArraySlice<UInt8>) {
        scanner = JSONScanner(bytes)
    }

    /// Returns the next member, or `nil` at the end of the object.
    ///
    /// - Throws: ``JSONFault`` if the text is not a JSON object.
    package mutating func next() throws(JSONFault) -> (name: String, text: String?)? {
        do throws(TransformerError) {
            return try member()
        } catch {
            let offset = error.offset ?? scanner.position
            throw JSONFault(message: "\(error.message), at byte \(offset + 1) of the object")
        }
    }

    private mutating func member() throws(TransformerError) -> (name: String, text: String?)? {
        if !isBegun {
            try expect("{")
            isBegun = true
            if scanner.take("}") { return try end() }
        } else if scanner.take("}") {
            return try end()
        } else {
            try expect(",")
        }
        scanner.skipSpace()
        guard scanner.next == UInt8(ascii: "\"") else { throw scanner.failure("expected the name of a member") }
        let name = try scanner.string()
        try expect(":")
        return (name, try value())
    }

    private func end() throws(TransformerError) -> (name: String, text: String?)? {
        guard scanner.next == nil else { throw scanner.failure("the line does not end after the object") }
        return nil
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(TransformerError) {
        guard scanner.take(sign) else { throw scanner.failure("expected “\(sign)”") }
    }

    private mutating func value() throws(TransformerError) -> String? {
        scanner.skipSpace()
        switch scanner.next {
        case UInt8(ascii: "\""): return try scanner.string()
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try structure()
        case UInt8(ascii: "n") where scanner.take(word: "null"): return nil
        case UInt8(ascii: "t") where scanner.take(word: "true"): return "true"
        case UInt8(ascii: "f") where scanner.take(word: "false"): return "false"
        case .some(let byte) where JSONScanner.isPartOfNumber(byte): return try scanner.number().text
        default: throw scanner.failure("expected a value")
        }
    }

    /// Returns an object or an array as it is written, without checking that it is well formed.
    private mutating func structure() throws(TransformerError) -> String {
        let start = scanner.position
        var depth = 0
        repeat {
            switch scanner.next {
            case nil: throw scanner.failure("the closing bracket is missing")
            case UInt8(ascii: "\""):
                _ = try scanner.string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            scanner.skipByte()
        } while depth > 0
        return try scanner.text(from: start)
    }
}

/// A fault in JSON text.
package struct JSONFault: Error {
    /// The fault, as part of a sentence.
    package let message: String

    package init(message: String) {
        self.message = message
    }
}
