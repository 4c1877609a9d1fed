internal import ArgumentParser

/// `roundtrip`: checks whether a value survives encoding and decoding.
struct RoundtripCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "roundtrip",
            abstract: "Encode a value, decode it again, and compare the results.",
            discussion: Help.lines(
                "The exit status is 1 if the value differs, unless the expression is declared lossy.",
                examples: [
                    "roundtrip rect '{{1, 2}, {3, 4}}'",
                    "roundtrip 'png | gzip' --in photo.png",
                    "roundtrip 'jpeg(quality: 50)' --in photo.png --json",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument

    @Argument(help: "The value; “-” is standard input, which is the default unless --in is given.")
    var value: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let codec = try expression.codec(in: keys.registry(session))
        try codec.requireReversible()
        let source = try input.source(argument: value, session.io)
        if case .file(let path) = source { try session.requireOutput(apartFrom: [path]) }
        let report = try RoundtripReport(of: source.read(session.io), from: source, codec)
        if listing.json {
            try session.print(json: report)
        } else {
            try session.print(report.text)
        }
        if let fault = report.faults.first {
            throw CommandError(.faultsFound, "“\(report.expression)” does not keep its promises: \(fault)")
        }
    }
}
