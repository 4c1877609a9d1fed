internal import Foundation
internal import Transformable

/// Reads records of comma-separated values (RFC 4180).
///
/// A line may also end in a line feed alone.
struct CSVReader {
    /// The maximum number of fields in a record, which take memory even if they are empty.
    private static let fieldLimit = 1 << 17

    private let source: ByteSource
    private var line = 1
    /// Whether an empty line is a record whose only field has no value, rather than nothing.
    var readsEmptyLines = false

    init(_ source: ByteSource) throws(CommandError) {
        self.source = source
        try source.skipByteOrderMark()
    }

    /// Returns the next record and the line it starts on.
    ///
    /// Empty lines are skipped unless ``readsEmptyLines`` is true. The end of the last line does not begin another one.
    ///
    /// - Returns: The fields, or nil at the end. A field is nil if it is empty and not quoted.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/badInput`` if the record is malformed, or
    ///   ``CommandError/Code/inputOutput`` if reading fails.
    mutating func next() throws(CommandError) -> (line: Int, fields: [String?])? {
        while try source.peek() != nil {
            let start = line
            var fields: [String?] = []
            var size = 0
            var isLast = false
            while !isLast {
                guard fields.count < Self.fieldLimit else {
                    throw .badRow(start, "the row has more than \(Self.fieldLimit) fields")
                }
                fields.append(try field(&size, &isLast, start))
            }
            if readsEmptyLines || fields.count > 1 || fields[0] != nil { return (start, fields) }
        }
        return nil
    }

    /// Reads a field and its delimiter.
    private mutating func field(_ size: inout Int, _ isLast: inout Bool, _ start: Int) throws(CommandError) -> String? {
        let isQuoted = try source.peek() == UInt8(ascii: "\"")
        var bytes = isQuoted ? try quoted(size, start) : []
        while true {
            guard let byte = try source.next(), byte != UInt8(ascii: "\n") else {
                line += 1
                isLast = true
                break
            }
            if byte == UInt8(ascii: ",") { break }
            if byte == UInt8(ascii: "\r"), try source.peek() == UInt8(ascii: "\n") { continue }
            guard !isQuoted else { throw .badRow(line, "there is text after a closing quotation mark") }
            guard byte != UInt8(ascii: "\"") else {
                throw .badRow(line, "a field that is not quoted contains a quotation mark")
            }
            try append(byte, to: &bytes, size, start)
        }
        size += bytes.count
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .badRow(start, "the row is not valid UTF-8")
        }
        return text.isEmpty && !isQuoted ? nil : text
    }

    /// Reads a quoted field up to and including the closing quotation mark.
    private mutating func quoted(_ size: Int, _ start: Int) throws(CommandError) -> [UInt8] {
        _ = try source.next()
        var bytes: [UInt8] = []
        while let byte = try source.next() {
            if byte == UInt8(ascii: "\"") {
                guard try source.peek() == UInt8(ascii: "\"") else { return bytes }
                _ = try source.next()
            } else if byte == UInt8(ascii: "\n") {
                line += 1
            }
            try append(byte, to: &bytes, size, start)
        }
        throw .badRow(start, "a quoted field is never closed")
    }

    private func append(_ byte: UInt8, to bytes: inout [UInt8], _ size: Int, _ start: Int) throws(CommandError) {
        guard size + bytes.count < rowLimit else { throw .badRow(start, "the row is larger than 64 MiB") }
        bytes.append(byte)
    }
}

/// Reads the records of a file as rows.
struct CSVRowReader: RowReader {
    private var records: CSVReader
    /// The position of each field's attribute, or nil for a field to skip.
    private let columns: [Int?]

    init(_ records: CSVReader, columns: [Int?]) {
        self.records = records
        self.columns = columns
        // In a file with one column, this is what “store show” writes for an object without a value.
        self.records.readsEmptyLines = columns.count == 1
    }

    mutating func next() throws(CommandError) -> ImportRow? {
        guard let (line, texts) = try records.next() else { return nil }
        guard texts.count == columns.count else {
            throw .badRow(
                line,
                "the row has \(texts.count.counted("field")), but the file has \(columns.count.counted("column"))"
            )
        }
        let fields = zip(columns, texts).compactMap { column, text in column.map { (column: $0, text: text) } }
        return ImportRow(line: line, fields: fields)
    }
}

/// Reads the bytes of a file or of standard input one at a time, from a buffer.
final class ByteSource {
    // Keeps the file open while it is read.
    private let file: SystemFile?
    private let descriptor: Int32
    private let name: String
    private var block: Data
    private var position = 0

    private init(_ file: consuming SystemFile?, _ descriptor: Int32, name: String) {
        self.file = file
        self.descriptor = descriptor
        self.name = name
        block = Data()
    }

    /// Creates a source that reads standard input.
    convenience init(standardInput io: CommandIO) {
        self.init(nil, io.input, name: "standard input")
    }

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/noInput`` if the file cannot be opened.
    convenience init(path: String) throws(CommandError) {
        guard let file = SystemFile(path, O_RDONLY) else { throw .cannotRead(path, errno) }
        guard !file.status.st_mode.isDirectory else { throw .cannotRead(path, EISDIR) }
        let descriptor = file.descriptor
        self.init(file, descriptor, name: "“\(path)”")
    }

    /// Returns the next byte without consuming it, or nil at the end.
    func peek() throws(CommandError) -> UInt8? {
        if position == block.count {
            block = try readStart(descriptor, name: name, count: 1 << 16)
            position = 0
        }
        return position < block.count ? block[position] : nil
    }

    /// Consumes and returns the next byte, or returns nil at the end.
    func next() throws(CommandError) -> UInt8? {
        let byte = try peek()
        if byte != nil { position += 1 }
        return byte
    }

    /// Skips the byte order mark that some programs write before UTF-8.
    func skipByteOrderMark() throws(CommandError) {
        guard try peek() == 0xEF, block.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        position += 3
    }
}
