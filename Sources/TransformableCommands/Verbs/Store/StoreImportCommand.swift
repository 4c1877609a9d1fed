internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store import`: inserts an object for each row of a file, or reads an export.
struct StoreImportCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Insert an object for each row of a file, or import a folder written by “store export”.",
            discussion: Help.lines(
                """
                Either all rows are inserted or none; an error names the line. A CSV file (RFC 4180) starts \
                with a row of column names, and an empty field means no value, while "" is empty text. A \
                JSON file has one object per line. Write values in their human-readable form. Write data and \
                images as base64, or as @path to read them from a file. Write a relationship as the numbers \
                of other objects: 1, or for a to-many relationship "1,2" in CSV and [1, 2] in JSON.

                The output of “store show” with --csv or --json can be imported, except for data. Its object \
                numbers (_id) are ignored, because new objects get their own. Its column “entity” must name \
                the entity to import into.

                @path names a file to read the value from. It always works in columns of data and images; in \
                columns with a text form, it works with --text-files, and @@ then stands for an @ at the \
                beginning of the text. Lines of an export name files as {"file": "path"}. Paths are relative to \
                the folder of the imported file, or to the folder given with --files, and must not lead out of \
                it, not even through symbolic links.

                With --folder, an export is read into a new store, or into a store that has the same model \
                and no objects. Object numbers, values, relationships, and their order are restored. A new \
                store appears only once everything has been imported. If the export has a reference to an \
                object that does not exist, remove that reference from the object's line in the export.
                """,
                examples: [
                    "store import clinic.sqlite Patient patients.csv",
                    "store import clinic.sqlite Patient export.csv --columns name,-,born",
                    "store import clinic.sqlite Patient --format json < patients.jsonl",
                    .withKeys("store import clinic.sqlite --folder exported --key-file clinic.keys"),
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String?

    @Argument(help: "The file to import; “-” is standard input, which is the default.", completion: .file())
    var input: String = "-"

    @Option(
        help:
            "The format of the file: csv or json. By default, it depends on the extension (.csv, .json, .jsonl, .ndjson)."
    )
    var format: ImportFormat?

    // The first name can be “-”.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The attributes of a CSV file's columns, in place of the names in its first row; “-” skips a column.",
            valueName: "names"
        )
    )
    var columns: String?

    @Flag(help: "The first row of a CSV file contains values, not column names; requires --columns.")
    var noHeader = false

    @OptionGroup var change: ChangeOptions
    @Option(
        help: ArgumentHelp(
            "The folder of the files that rows refer to as @path. By default, the folder of the imported file.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var files: String?

    @Flag(help: "Treat @path as a file name in text columns, too. Write @@ for an @ at the beginning of text.")
    var textFiles = false

    @Option(
        help: ArgumentHelp(
            "A folder written by “store export”, to import in place of a file.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var folder: String?

    @Flag(help: "With --folder, skip values that the export could not read.")
    var skipUnreadable = false

    @Flag(help: "With --folder, import an export that has no “export.json” and may be incomplete.")
    var withoutManifest = false

    @OptionGroup var keys: Keys

    func validate() throws {
        if let columns, columns.hasPrefix("--") {
            throw ValidationError("--columns requires the names of the columns, not the option “\(columns)”")
        }
        if noHeader, columns == nil {
            throw ValidationError("--no-header requires the names of the columns; give them with --columns")
        }
        if folder == nil, entity == nil { throw ValidationError("give an entity, or an export with --folder") }
        if skipUnreadable, folder == nil { throw ValidationError("--skip-unreadable requires --folder") }
        if withoutManifest, folder == nil { throw ValidationError("--without-manifest requires --folder") }
        let isOfRows = entity != nil || format != nil || columns != nil || files != nil || textFiles
        if folder != nil, isOfRows || change.dryRun {
            throw ValidationError(
                "--folder imports a whole export, so it cannot be combined with an entity or with options for a file"
            )
        }
    }

    func run() throws {
        let session = Session.current
        if let folder {
            let work = FolderImport(
                folder: folder,
                skipsUnreadable: skipUnreadable,
                requiresManifest: !withoutManifest,
                session: session
            )
            return try work.run(into: file, keys)
        }
        guard let entity else { return }
        let rows = try rows(of: entity, session)
        let count = try file.change(keys, session, isRehearsal: change.dryRun) { try rows.run(in: $0, change) }
        if let count { try session.print(saved: "\(count.counted("object")) imported") }
    }

    private func rows(of entity: String, _ session: Session) throws -> RowImport {
        let source: InputSource = input == "-" ? .standardInput : .file(input)
        if case .file(let path) = source {
            try session.requireOutput(apartFrom: [path])
            try requireOtherFile(path)
        }
        let folder = input == "-" ? entity : input
        if format == nil, FilePath(folder).isFolder {
            throw CommandError(.usage, "“\(folder)” is a folder; to import what “store export” wrote, use --folder")
        }
        let format = try format ?? ImportFormat(of: source)
        if format == .json, columns != nil {
            throw CommandError(.usage, "--columns is only for csv; the members of JSON objects have names")
        }
        return RowImport(
            entity: entity,
            source: source,
            format: format,
            columns: columns.map { [String](names: $0) },
            hasHeader: !noHeader,
            files: ImportFiles(folder: files ?? source.folder, readsTexts: textFiles),
            session: session
        )
    }

    /// Throws an error if a file is the store itself.
    private func requireOtherFile(_ path: String) throws {
        guard let identity = FileIdentity(path: path),
            try file.address.files.contains(where: { FileIdentity(path: $0) == identity })
        else { return }
        throw CommandError(.usage, "“\(path)” is the store to import into; give the file that contains the rows")
    }
}

extension InputSource {
    /// The folder of the file, or the current folder for standard input.
    fileprivate var folder: String {
        if case .file(let path) = self { FilePath(path).folder } else { "." }
    }
}

/// The format of the rows to import.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv
    case json

    /// Returns the format that corresponds to the file's extension.
    init(of source: InputSource) throws(CommandError) {
        guard case .file(let path) = source else {
            throw CommandError(.usage, "the format of standard input is unknown; specify --format csv or --format json")
        }
        switch FilePath(path).fileExtension {
        case "csv": self = .csv
        case "json", "jsonl", "ndjson": self = .json
        default: throw CommandError(.usage, "the format of “\(path)” is unknown; specify --format csv or --format json")
        }
    }
}
