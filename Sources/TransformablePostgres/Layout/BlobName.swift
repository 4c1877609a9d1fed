internal import Foundation

/// How a binary column contains the name of an external value, which a store's file keeps as text.
///
/// The name is `blob:` and a UUID in uppercase letters, 41 bytes in all. A value that consists of such bytes, followed by
/// any number of zeros, is stored with one more zero, so no value can be taken for a name. All other values are stored as
/// they are. The order of values is kept, because no other value is between such a value and the one with one more zero.
enum BlobName {
    static let length = prefix.count + uuidLength

    private static let prefix = Array("blob:".utf8)
    private static let uuidLength = 36
    private static let hyphens: Set = [8, 13, 18, 23]

    /// A regular expression of PostgreSQL that matches names, in the output of `encode(…, 'escape')`.
    static let pattern = "^blob:[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$"

    /// Returns the condition in SQL that the bytes of a column are a name, followed by any number of zeros.
    static func isBeginning(of column: String) -> String {
        let (start, rest) = ("substr(\(column), 1, \(length))", "substr(\(column), \(length + 1))")
        return "encode(\(start), 'escape') ~ '\(pattern)' AND btrim(\(rest), '\\x00'::bytea) = ''::bytea"
    }

    /// Returns a Boolean value that indicates whether bytes are a name, followed by any number of zeros.
    static func begins(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.count >= length, bytes.first == prefix[0] else { return false }
        let uuid = bytes.dropFirst(prefix.count).prefix(uuidLength)
        return bytes.starts(with: prefix) && uuid.enumerated().allSatisfy { isPart($1, at: $0) }
            && bytes.dropFirst(length).allSatisfy { $0 == 0 }
    }

    /// Returns the byte that is stored after a value, which is `nil` unless the value could be taken for a name.
    static func suffix(of value: some RandomAccessCollection<UInt8>) -> UInt8? { begins(value) ? 0 : nil }

    /// Returns the bytes that are stored for a value.
    static func escape(_ value: Data) -> Data {
        guard let suffix = suffix(of: value) else { return value }
        return value + [suffix]
    }

    /// Returns whether stored bytes are a name, and how many of them belong to the name or the value.
    static func split(_ bytes: some RandomAccessCollection<UInt8>) -> (isName: Bool, count: Int) {
        guard begins(bytes) else { return (false, bytes.count) }
        return bytes.count == length ? (true, length) : (false, bytes.count - 1)
    }

    private static func isPart(_ byte: UInt8, at index: Int) -> Bool {
        guard !hyphens.contains(index) else { return byte == UInt8(ascii: "-") }
        return UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte
    }
}
