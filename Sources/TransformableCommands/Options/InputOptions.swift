internal import ArgumentParser

/// The source of a value that is not an argument.
struct InputOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Read the value from this file; “-” is standard input.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    /// Returns the source of the value.
    ///
    /// - Parameters:
    ///   - argument: The argument, if one was given.
    ///   - io: The descriptors to use.
    /// - Returns: The source.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if there is no source, or more than one.
    func source(argument: String?, _ io: CommandIO) throws(CommandError) -> InputSource {
        switch (argument, file) {
        case (_?, _?): throw CommandError(.usage, "the value is given twice: as an argument and with --in")
        case ("-", _), (_, "-"): return .standardInput
        case (let argument?, _): return .argument(argument)
        case (_, let file?): return .file(file)
        case (nil, nil):
            guard !io.isInputTerminal else {
                throw CommandError(
                    .usage,
                    "there is no value; give it as an argument, with --in FILE, or on standard input (-)"
                )
            }
            return .standardInput
        }
    }
}
