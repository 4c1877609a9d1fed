internal import Foundation

/// Writes rows as they come, so that memory does not grow with their number.
struct RowWriter {
    /// What rows are called in JSON.
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

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns.
    ///   - document: What the rows are.
    ///   - entity: The name of the entity whose objects they are of.
    ///   - notation: How they are written.
    ///   - session: The run.
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

    /// Writes a row.
    ///
    /// - Parameter cells: One cell for each column.
    /// - Throws: ``CommandError``.
    mutating func append(_ cells: [Cell]) throws(CommandError) {
        switch notation {
        case .table:
            for line in table.append(cells.map(\.tableText)) { append(line: line) }
        case .csv:
            append(line: cells.map(\.csv).joined(separator: ",") + "\r")
        case .json:
            let fields = zip(columns, cells).map { "\(JSONText.string($0)): \($1.json)" }
            if count > 0 { buffer.append(contentsOf: ",\n".utf8) }
            buffer.append(contentsOf: "  {\(fields.joined(separator: ", "))}".utf8)
        }
        count += 1
        if count.isMultiple(of: 256) { progress.show(count) }
        if buffer.count > 1 << 16 { try flush() }
    }

    /// Writes what is left.
    ///
    /// - Throws: ``CommandError``.
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

/// A table whose columns are as wide as the first rows need.
private struct StreamedTable {
    private static let sampleCount = 200
    private var waiting: [[String]]
    private var widths: [Int]?

    init(header: [String]) {
        waiting = [header.map { $0.uppercased() }]
    }

    /// Takes a row, and gives the lines that can be written.
    mutating func append(_ row: [String]) -> [String] {
        if let widths { return [TextTable.line(row, widths)] }
        waiting.append(row)
        return waiting.count > Self.sampleCount ? rest() : []
    }

    /// Gives the lines that wait for the widths to be known.
    mutating func rest() -> [String] {
        guard widths == nil else { return [] }
        let found = TextTable.widths(of: waiting)
        widths = found
        return waiting.map { TextTable.line($0, found) }
    }
}
