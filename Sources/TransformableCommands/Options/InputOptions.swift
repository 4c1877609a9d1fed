internal import ArgumentParser

/// Where a value comes from if it is not an argument.
struct InputOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Read it from this file; “-” is standard input.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    /// The one source that was given.
    ///
    /// - Parameters:
    ///   - argument: The argument, if there was one.
    ///   - io: Where standard input is.
    /// - Returns: The source.
    /// - Throws: ``CommandError/Code/usage`` if there is none, or two.
    func source(argument: String?, _ io: CommandIO) throws(CommandError) -> InputSource {
        switch (argument, file) {
        case (_?, _?): throw CommandError(.usage, "the value is given twice: as an argument and with --in")
        case ("-", _), (_, "-"): return .standardInput
        case (let argument?, _): return .argument(argument)
        case (_, let file?): return .file(file)
        case (nil, nil):
            guard !io.isInputTerminal else {
                throw CommandError(.usage, "no value: give it as an argument, with --in FILE, or on standard input (-)")
            }
            return .standardInput
        }
    }
}
