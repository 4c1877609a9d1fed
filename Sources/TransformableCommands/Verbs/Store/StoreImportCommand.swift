internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store import`: an object for each row of a file.
struct StoreImportCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Insert an object for each row of a file, or read an export back, and say how many these are.",
            discussion: Help.lines(
                """
                All rows are inserted, or none: an error names the line. Comma-separated values (RFC 4180) begin \
                with the names of their columns; an empty field is no value, and "" an empty text. JSON has an \
                object on each line. Values stand in their human form, bytes and images as base64 or as @path, and a \
                relationship takes the numbers of other objects: 1, or to many "1,2" and in JSON [1, 2]. What “store show” writes with --csv or --json \
                can be read, but for bytes; its numbers (id) are left out, since new objects get their own. @path names a file that the value is read from: in a column of bytes or \
                images always, in one with text if --text-files is given, where @@ is an @ that begins the text. Paths \
                are relative to the folder of the rows' file and must not lead out of it, by links neither; --files \
                names another folder. With --folder, what “store export” wrote is read back into a new store, or into \
                one of its model without objects: numbers, values, relationships and their order.
                """,
                examples: [
                    "store import clinic.sqlite Patient patients.csv",
                    "store import clinic.sqlite Patient export.csv --columns name,-,born",
                    "store import clinic.sqlite Patient --format json < patients.jsonl",
                    "store import clinic.sqlite --folder exported --key-file clinic.keys",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String?

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
    @Option(
        help: ArgumentHelp(
            "The folder of files that rows name as @path, by default that of the rows' file.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var files: String?

    @Flag(help: "In attributes with text @path names a file, too, and @@ is an @ that begins the text.")
    var textFiles = false

    @Option(
        help: ArgumentHelp(
            "A folder that “store export” wrote, in place of an entity and a file.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var folder: String?

    @Flag(help: "With --folder, leave out values that the export could not read.")
    var skipUnreadable = false

    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if noHeader, columns == nil { throw ValidationError("--no-header needs the columns' names: --columns") }
        if folder == nil, entity == nil { throw ValidationError("name an entity, or an export with --folder") }
        if skipUnreadable, folder == nil { throw ValidationError("--skip-unreadable goes with --folder") }
        let isOfRows = entity != nil || format != nil || columns != nil || files != nil || textFiles
        if folder != nil, isOfRows || change.dryRun {
            throw ValidationError("--folder reads an export, which says itself what is in it, and all of it")
        }
    }

    func run() throws {
        let session = Session.current
        if let folder {
            let work = FolderImport(folder: folder, skipsUnreadable: skipUnreadable, session: session)
            return try work.run(into: file, keys)
        }
        guard let entity else { return }
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
            files: ImportFiles(folder: files ?? source.folder, readsTexts: textFiles),
            session: session
        )
        let count = try file.change(keys, session) { try rows.run(in: $0, change) }
        if let count { try session.print("\(count.counted("object")) imported") }
    }
}

extension InputSource {
    /// The folder of a file; of standard input the current one.
    fileprivate var folder: String {
        if case .file(let path) = self { FilePath(path).folder } else { "." }
    }
}
