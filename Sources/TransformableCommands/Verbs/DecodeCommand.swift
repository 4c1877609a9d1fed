internal import ArgumentParser

/// `decode`: decodes an encoded form and shows the value.
struct DecodeCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "decode",
            abstract: "Decode an encoded value.",
            discussion: Help.lines(
                """
                The value is shown in its human-readable form. An image is written in the format of the \
                output file's extension: .png, .jpg, or .pam. With --extract, only one part of a structured \
                value is shown; with --raw, text and data are written unchanged. With --json, the value is \
                written as part of a JSON document. Large values are decoded piece by piece if every stage \
                supports it; do not use such a value from standard output unless the exit status is 0. If a \
                sealed value is written to a new file, only the file's owner can read it.
                """,
                examples: [
                    "decode rect '{{1, 2}, {3, 4}}'",
                    "decode keyed-archive --in settings.plist",
                    "decode keyed-archive --in people.plist --extract users.0.name",
                    .withKeys("decode 'text | sealed' --key-file clinic.keys --in ssn.bin"),
                    "decode rect '{{1, 2}, {3, 4}}' --json",
                    "decode jpeg --in photo.jpg --out photo.pam",
                    "decode 'text | zlib' --hex 789ccb48cdc9c90700062c0215",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument

    @Argument(help: "The encoded form; “-” is standard input, which is the default unless --in is given.")
    var encodedForm: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var encoded: EncodedOptions
    @OptionGroup var part: PartOptions
    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let codec = try expression.codec(in: keys.registry(session))
        try codec.requireReversible()
        let path = try part.path
        let source = try input.source(argument: encodedForm, session.io)
        try session.requireSeparate(output, from: source, keys)
        if path == nil, !part.json, let stages = codec.pieces, encoded.notation == nil, session.takesPieces(output),
            let input = try InputPieces(source, session.io)
        {
            return try session.write(to: output, isConfidential: codec.isConfidential) { put in
                try codec.decode(input, by: stages, put)
            }
        }
        var bytes = try source.read(session.io)
        if source.isStream, codec.encodesToText, !output.raw { bytes = bytes.withoutLineEnd ?? bytes }
        if let path {
            let found = try codec.part(path, of: bytes, from: source, encoded.notation)
            let content = try part.json ? document(found, codec) : codec.content(ofPart: found, isRaw: output.raw)
            return try session.write(content.confidential(codec.isConfidential), to: output)
        }
        let value = try codec.decode(bytes, from: source, encoded.notation)
        let content = try part.json ? document(value, codec) : codec.content(ofValue: value, format: output.format)
        try session.write(content.confidential(codec.isConfidential), to: output)
        for remark in codec.remarks(on: value) { session.tell("note: \(remark)") }
    }

    private func document(_ value: Any, _ codec: ValueCodec) throws -> Content {
        part.document(codec.members, "value", try codec.json(ofValue: value))
    }
}
