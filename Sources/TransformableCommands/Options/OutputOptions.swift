internal import ArgumentParser

/// Where a result goes.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(
            "Write to this file, which appears whole or not at all; “-” is standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Flag(help: "Bytes exactly as they are: to a terminal, too, and without a line's end added or dropped.")
    var raw = false

    /// The file, unless it is standard output.
    var path: String? { file == "-" ? nil : file }

    /// The extension of the file in lower case, by which an image's format is chosen.
    var format: String? {
        path.flatMap { FilePath($0).fileExtension }
    }

    func validate() throws {
        if file == "" { throw ValidationError("--out needs a file's name") }
    }
}
