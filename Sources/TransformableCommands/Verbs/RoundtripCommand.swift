internal import ArgumentParser

/// `roundtrip`: whether a value comes back as it was.
struct RoundtripCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "roundtrip",
            abstract: "Encode a value, decode it again, and compare.",
            discussion: Help.lines(
                "The exit code is 1 where the value differs and the expression does not say that it is lossy.",
                examples: [
                    "roundtrip rect '{{1, 2}, {3, 4}}'",
                    "roundtrip 'png | gzip' --in photo.png",
                    "roundtrip 'jpeg(quality: 50)' --in photo.png --json",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument

    @Argument(help: "The value; “-” is standard input, which is read too if there is neither value nor --in.")
    var value: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: KeyOptions

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
            throw CommandError(.faultsFound, "“\(report.expression)” does not keep what it promises: \(fault)")
        }
    }
}
