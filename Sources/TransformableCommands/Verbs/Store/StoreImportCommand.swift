internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store import`: an object for each row of a file.
struct StoreImportCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Insert an object for each row of a file, and say how many these are.",
            discussion: Help.lines(
                """
                All rows are inserted, or none: an error names the line. Comma-separated values (RFC 4180) begin \
                with the names of their columns; an empty field is no value, and "" an empty text. JSON has an \
                object on each line. Values stand in their human form, bytes and images as base64, and a \
                relationship takes the numbers of other objects: 1, or to many "1,2" and in JSON [1, 2]. What “store show” writes with --csv or --json \
                can be read, but for bytes; its numbers (id) are left out, since new objects get their own.
                """,
                examples: [
                    "store import clinic.sqlite Patient patients.csv",
                    "store import clinic.sqlite Patient export.csv --columns name,-,born",
                    "store import clinic.sqlite Patient --format json < patients.jsonl",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String

    @Argument(help: "The file; “-” is standard input, which is read too if there is none.", completion: .file())
    var input: String = "-"

    @Option(
        help: "What the file holds: csv or json; by default what its extension says (.csv, .json, .jsonl, .ndjson)."
    )
    var format: ImportFormat?

    @Option(
        help: ArgumentHelp(
            "The attributes of a CSV file's columns, in place of the names in its first line; “-” leaves one out.",
            valueName: "names"
        )
    )
    var columns: String?

    @Flag(help: "The first line of a CSV file is a row, and names no columns; needs --columns.")
    var noHeader = false

    @OptionGroup var change: DryRunOption
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if noHeader, columns == nil { throw ValidationError("--no-header needs the columns' names: --columns") }
    }

    func run() throws {
        let session = Session.current
        let source: InputSource = input == "-" ? .standardInput : .file(input)
        if case .file(let path) = source {
            try session.requireOutput(apartFrom: [path])
            if let identity = FileIdentity(path: path),
                file.files.contains(where: { FileIdentity(path: $0) == identity })
            {
                throw CommandError(
                    .usage,
                    "“\(path)” is the store that rows are imported into; give the file that has the rows"
                )
            }
        }
        let format = try format ?? ImportFormat(of: source)
        if format == .json, columns != nil {
            throw CommandError(.usage, "--columns is for csv; JSON names its members")
        }
        let rows = RowImport(
            entity: entity,
            source: source,
            format: format,
            columns: columns.map { [String](names: $0) },
            hasHeader: !noHeader,
            session: session
        )
        let count = try file.change(keys, session) { try rows.run(in: $0, change) }
        if let count { try session.print("\(count.counted("object")) imported") }
    }
}
