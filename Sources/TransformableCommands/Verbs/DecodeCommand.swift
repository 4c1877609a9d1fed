internal import ArgumentParser

/// `decode`: an encoded form, decoded and shown in its human form.
struct DecodeCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "decode",
            abstract: "Decode what a transformer encoded.",
            discussion: Help.lines(
                """
                The value is shown in its human form. An image takes the format of the output's extension: \
                .png, .jpg or .pam. Of a structured value --extract shows one part; with --raw a text or bytes \
                are shown as they are.
                """,
                examples: [
                    "decode rect '{{1, 2}, {3, 4}}'",
                    "decode keyed-archive --in settings.plist",
                    "decode keyed-archive --in people.plist --extract users.0.name",
                    "decode 'text | sealed' --key-file clinic.keys --in ssn.bin",
                    "decode jpeg --in photo.jpg --out photo.pam",
                    "decode 'text | zlib' --hex 789ccb48cdc9c90700062c0215",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument

    @Argument(help: "The encoded form; “-” is standard input, which is read too if there is neither this nor --in.")
    var encodedForm: String?

    @Option(
        help: ArgumentHelp(
            "Show only this part of the value: names and positions with dots between them.",
            valueName: "path"
        )
    )
    var extract: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var encoded: EncodedOptions
    @OptionGroup var keys: KeyOptions

    func run() throws {
        let session = Session.current
        let codec = try expression.codec(in: keys.registry(session))
        try codec.requireReversible()
        let part = try extract.map { try PartPath($0) }
        let source = try input.source(argument: encodedForm, session.io)
        try session.requireSeparate(output, from: source, keys)
        var bytes = try source.read(session.io)
        if source.isStream, codec.encodesToText, !output.raw { bytes = bytes.withoutLineEnd ?? bytes }
        if let part {
            let found = try codec.part(part, of: bytes, from: source, encoded.notation)
            return try session.write(codec.content(ofPart: found, isRaw: output.raw), to: output)
        }
        let value = try codec.decode(bytes, from: source, encoded.notation)
        try session.write(codec.content(ofValue: value, format: output.format), to: output)
        for remark in codec.remarks(on: value) { session.tell("note: \(remark)") }
    }
}
