package import Foundation
internal import Transformable

/// The syntax of JSON.
package enum JSONSyntax {
    /// Returns the place of the first fault in a document and what is wrong there, or `nil` if there is no fault.
    package static func fault(in json: Data) -> String? {
        do throws(JSONTreeParser.Failure) {
            _ = try JSONTreeParser.tree(of: json)
            return nil
        } catch {
            return "\(error.place): \(error.message)"
        }
    }
}

/// Any JSON document, as a tree.
indirect enum JSONTree: Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent, or one that does not fit in 64 bits, as it is written.
    case number(String)
    case string(String)
    case list([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let text): try container.encode(Double(text))
        case .string(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}

/// Parses JSON (RFC 8259) into a tree that keeps the digits of its numbers.
///
/// An error states the line and column.
struct JSONTreeParser {
    struct Failure: Error {
        let message: String
        let place: TextPlace
    }

    private static let deepest = 512
    private var scanner: JSONScanner

    /// Parses a document.
    static func tree(of json: Data) throws(Failure) -> JSONTree {
        let bytes = Array(json)
        let mark = json.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var parser = Self(scanner: JSONScanner(bytes[mark...]))
        do throws(TransformerError) {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw parser.scanner.failure("it is not UTF-8")
            }
            let tree = try parser.value(depth: 0)
            parser.scanner.skipSpace()
            try parser.scanner.expectEnd()
            return tree
        } catch {
            let offset = mark + (error.offset ?? parser.scanner.position)
            throw Failure(message: error.message, place: TextPlace(min(offset, bytes.count), in: bytes))
        }
    }

    private mutating func value(depth: Int) throws(TransformerError) -> JSONTree {
        guard depth <= Self.deepest else {
            throw scanner.failure("the nesting is deeper than \(Self.deepest) levels")
        }
        scanner.skipSpace()
        switch scanner.next {
        case UInt8(ascii: "{"): return .object(try members(depth: depth + 1))
        case UInt8(ascii: "["): return .list(try elements(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try scanner.string())
        case UInt8(ascii: "n") where scanner.take(word: "null"): return .null
        case UInt8(ascii: "t") where scanner.take(word: "true"): return .boolean(true)
        case UInt8(ascii: "f") where scanner.take(word: "false"): return .boolean(false)
        case .some(let byte) where JSONScanner.isPartOfNumber(byte): return try number()
        default: throw Self.notAValue(scanner)
        }
    }

    /// Returns an error that quotes the word found in place of a value.
    private static func notAValue(_ scanner: JSONScanner) -> TransformerError {
        var rest = scanner
        while !endsWord(rest.next) { rest.skipByte() }
        let word = (try? rest.text(from: scanner.position)) ?? ""
        return scanner.failure(word.isEmpty ? "expected a value" : "“\(word)” is not a JSON value")
    }

    private static func endsWord(_ byte: UInt8?) -> Bool {
        byte.map { $0 <= 0x20 || ",:]}[{\"".utf8.contains($0) } ?? true
    }

    private mutating func elements(depth: Int) throws(TransformerError) -> [JSONTree] {
        scanner.skipByte()
        var elements: [JSONTree] = []
        if scanner.take("]") { return elements }
        repeat { elements.append(try value(depth: depth)) } while scanner.take(",")
        guard scanner.take("]") else { throw scanner.failure("expected “,” or “]”") }
        return elements
    }

    private mutating func members(depth: Int) throws(TransformerError) -> [String: JSONTree] {
        scanner.skipByte()
        var members: [String: JSONTree] = [:]
        if scanner.take("}") { return members }
        repeat {
            scanner.skipSpace()
            let start = scanner.position
            guard scanner.next == UInt8(ascii: "\"") else { throw scanner.failure("expected a key in double quotes") }
            let key = try scanner.string()
            guard scanner.take(":") else { throw scanner.failure("expected “:”") }
            guard members.updateValue(try value(depth: depth), forKey: key) == nil else {
                throw scanner.failure("the key “\(key)” is used twice in the same object", at: start)
            }
        } while scanner.take(",")
        guard scanner.take("}") else { throw scanner.failure("expected “,” or “}”") }
        return members
    }

    private mutating func number() throws(TransformerError) -> JSONTree {
        let start = scanner
        guard let text = try? scanner.number().text, Self.endsWord(scanner.next) else { throw Self.notAValue(start) }
        if let number = Int64(text) { return .integer(number) }
        // An integer may be written with a fraction of zeros.
        if let number = Double(text), number.says(text), let whole = Int64(exactly: number) { return .integer(whole) }
        return .number(text)
    }
}
