internal import ArgumentParser

/// The destination of a result.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(
            "Write the result to this file, atomically; “-” is standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @Flag(help: "Write the exact bytes, even to a terminal, without adding or removing a final newline.")
    var raw = false

    /// The path of the file, or nil for standard output.
    var path: String? { file == "-" ? nil : file }

    /// The lowercased extension of the file, which selects the format of an image.
    var format: String? {
        path.flatMap { FilePath($0).fileExtension }
    }

    func validate() throws {
        if file == "" { throw ValidationError("--out requires a file name") }
    }
}
