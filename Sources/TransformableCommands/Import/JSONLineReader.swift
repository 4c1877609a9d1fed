internal import Transformable
internal import TransformableStore

/// Reads JSON objects, one per line.
///
/// The lines around the objects are skipped, both in the output of `store show --json` and in a JSON array that has one
/// object per line.
struct JSONLineReader: RowReader {
    private let source: ByteSource
    private let entity: String
    private let columns: [String: Int]
    private let special: [String: Int]
    private let ignored: Set<String>
    private var line = 0
    // The line of the bracket that opened a list, until the list ends.
    private var openingLine: Int?

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - source: The bytes.
    ///   - entity: The name of the entity that has the attributes.
    ///   - columns: The positions of the attributes by name.
    ///   - special: The positions of other members by name.
    ///   - ignored: The names of members to skip.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/inputOutput`` if reading fails.
    init(
        _ source: ByteSource,
        _ entity: String,
        columns: [String: Int],
        special: [String: Int],
        ignored: Set<String>
    ) throws(CommandError) {
        self.source = source
        self.entity = entity
        self.columns = columns
        self.special = special
        self.ignored = ignored
        try source.skipByteOrderMark()
    }

    mutating func next() throws(CommandError) -> ImportRow? {
        while let bytes = try nextLine() {
            let object = Self.trimmed(bytes)
            guard try !isFrame(object) else { continue }
            return try row(object)
        }
        try requireNoOpenList()
        return nil
    }

    /// Throws an error if a list has begun and not ended.
    private func requireNoOpenList() throws(CommandError) {
        guard let openingLine else { return }
        // The program that wrote the list may have failed, and importing what it wrote would look like a success.
        throw .badRow(line, "the list that begins on line \(openingLine) does not end; the input is incomplete")
    }

    /// Whether a line is one of those around the objects.
    private mutating func isFrame(_ line: ArraySlice<UInt8>) throws(CommandError) -> Bool {
        if line.isEmpty { return true }
        if ["]", JSONDocument.closing].contains(where: { line.elementsEqual($0.utf8) }) {
            openingLine = nil
            return true
        }
        guard try isOpening(line) else { return false }
        try requireNoOpenList()
        openingLine = self.line
        return true
    }

    /// Whether a line opens the list of objects.
    private func isOpening(_ line: ArraySlice<UInt8>) throws(CommandError) -> Bool {
        if line.elementsEqual("[".utf8) { return true }
        guard line.last == UInt8(ascii: "["), line.starts(with: "{\"version\": ".utf8) else { return false }
        guard line.starts(with: "{\"version\": \(JSONDocument.version),".utf8) else {
            throw .badRow(self.line, "this JSON was written by a newer version of this program")
        }
        return true
    }

    private mutating func nextLine() throws(CommandError) -> [UInt8]? {
        guard try source.peek() != nil else { return nil }
        line += 1
        var bytes: [UInt8] = []
        while let byte = try source.next(), byte != UInt8(ascii: "\n") {
            guard bytes.count < rowLimit else { throw .badRow(line, "the row is larger than 64 MiB") }
            bytes.append(byte)
        }
        return bytes
    }

    /// Returns the line without surrounding whitespace and without a comma at its end.
    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: JSONScanner.isSpace)
        while let last = rest.last, JSONScanner.isSpace(last) { rest.removeLast() }
        if rest.last == UInt8(ascii: ",") { rest.removeLast() }
        return rest
    }

    private func row(_ object: ArraySlice<UInt8>) throws(CommandError) -> ImportRow {
        var members = JSONMembers(object)
        var fields: [(column: Int, text: String?)] = []
        var seen: Set<String> = []
        while let (name, text) = try next(&members) {
            guard seen.insert(name).inserted else { throw .badRow(line, "“\(name)” is given twice") }
            // The positions in an ordered relationship, which an export includes, are assigned by the store.
            guard !ignored.contains(name), !name.hasPrefix("_order.") else { continue }
            guard let column = columns[name] ?? special[name] else {
                let names = columns.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
                throw CommandError(.usage, "line \(line): “\(entity)” has no attribute “\(name)”; it has \(names)")
            }
            fields.append((column, text))
        }
        return ImportRow(line: line, fields: fields)
    }

    private func next(_ members: inout JSONMembers) throws(CommandError) -> (name: String, text: String?)? {
        do throws(JSONFault) {
            return try members.next()
        } catch {
            throw .badRow(line, error.message)
        }
    }
}
