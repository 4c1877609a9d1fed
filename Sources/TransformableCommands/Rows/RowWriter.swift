internal import Foundation

/// Writes rows as they are produced, using a constant amount of memory.
struct RowWriter {
    /// The name of the rows' list in JSON.
    enum Document: String {
        case objects
        case groups
    }

    private let columns: [String]
    private let notation: RowNotation
    private let session: Session
    private var table: StreamedTable
    private var buffer = Data()
    private var count = 0
    private var progress: Progress

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns.
    ///   - document: The name of the rows' list in JSON.
    ///   - entity: The name of the objects' entity.
    ///   - notation: The format.
    ///   - session: The session.
    init(
        columns: [String],
        _ document: Document,
        of entity: String,
        _ notation: RowNotation,
        _ session: Session
    ) {
        self.columns = columns
        self.notation = notation
        self.session = session
        table = StreamedTable(header: columns)
        progress = Progress(session)
        if notation == .json {
            let members = [(name: "entity", json: JSONText.string(entity))]
            append(line: JSONDocument.opening(members, list: document.rawValue))
        }
        if notation == .csv { append(line: columns.map { Cell.text($0).csv }.joined(separator: ",") + "\r") }
    }

    /// Whether a terminal shows the values, which must not control it.
    ///
    /// Other readers get the exact values.
    private var isTerminal: Bool { session.io.isOutputTerminal }

    /// Writes a row.
    ///
    /// - Parameter cells: One cell for each column.
    /// - Throws: ``CommandError`` if the output cannot be written.
    mutating func append(_ cells: [Cell]) throws(CommandError) {
        switch notation {
        case .table:
            for line in table.append(cells.map(\.tableText)) { append(line: line) }
        case .csv:
            let line = cells.map(\.csv).joined(separator: ",")
            append(line: (isTerminal ? line.escapingControls : line) + "\r")
        case .json:
            let fields = zip(columns, cells).map { "\(JSONText.string($0)): \($1.json)" }
            if count > 0 { buffer.append(contentsOf: ",\n".utf8) }
            let line = "  {\(fields.joined(separator: ", "))}"
            buffer.append(contentsOf: (isTerminal ? line.escapingControlsOfJSON : line).utf8)
        }
        count += 1
        if count.isMultiple(of: 256) { progress.show(count) }
        if buffer.count > 1 << 16 { try flush() }
    }

    /// Writes the remaining rows.
    ///
    /// - Throws: ``CommandError`` if the output cannot be written.
    mutating func finish() throws(CommandError) {
        progress.end()
        switch notation {
        case .table: for line in table.rest() { append(line: line) }
        case .csv: break
        case .json: append(line: (count == 0 ? "" : "\n") + JSONDocument.closing)
        }
        try flush()
    }

    private mutating func append(line: String) {
        buffer.append(contentsOf: line.utf8)
        buffer.append(UInt8(ascii: "\n"))
    }

    private mutating func flush() throws(CommandError) {
        try writeAll(buffer, to: session.io.output, name: "standard output")
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A table whose column widths are determined by its first rows.
private struct StreamedTable {
    private static let sampleCount = 200
    private var waiting: [[String]]
    private var widths: [Int]?

    init(header: [String]) {
        // The names are those that commands and conditions take, which are case-sensitive.
        waiting = [header]
    }

    /// Adds a row, and returns the lines that can be written.
    mutating func append(_ row: [String]) -> [String] {
        if let widths { return [TextTable.line(row, widths)] }
        waiting.append(row)
        return waiting.count > Self.sampleCount ? rest() : []
    }

    /// Returns the lines that still wait for the widths to be determined.
    mutating func rest() -> [String] {
        guard widths == nil else { return [] }
        let found = TextTable.widths(of: waiting)
        widths = found
        return waiting.map { TextTable.line($0, found) }
    }
}
