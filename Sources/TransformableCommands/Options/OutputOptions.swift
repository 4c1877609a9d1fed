internal import ArgumentParser
internal import Foundation

/// Where a result goes.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("out"),
        help: "Write to this file, which appears whole or not at all; “-” is standard output.",
        completion: .file()
    )
    var file: String?

    @Flag(help: "Bytes exactly as they are: to a terminal, too, and without a line's end added or dropped.")
    var raw = false

    /// The file, unless it is standard output.
    var path: String? { file == "-" ? nil : file }

    /// The extension of the file in lower case, by which an image's format is chosen.
    var format: String? {
        let format = path.map { ($0 as NSString).pathExtension.lowercased() } ?? ""
        return format.isEmpty ? nil : format
    }

    func validate() throws {
        if file == "" { throw ValidationError("--out needs a file's name") }
    }
}
