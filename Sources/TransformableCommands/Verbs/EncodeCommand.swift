internal import ArgumentParser
internal import Foundation

/// `encode`: encodes a value that is given in its human-readable form.
struct EncodeCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "encode",
            abstract: "Encode a value.",
            discussion: Help.lines(
                """
                Give the value in its human-readable form: text for text, numbers, and geometry; JSON for \
                structured values; any PNG or JPEG file for an image. With --extract, only one part of a \
                structured value is encoded. With --json, the encoded form is written as part of a JSON \
                document, with bytes in base64, or in hexadecimal if --hex is given. Large values are \
                encoded piece by piece if every stage supports it.
                """,
                examples: [
                    "encode rect '{{1, 2}, {3, 4}}'",
                    "encode rect '{{1, 2}, {3, 4}}' --hex",
                    "encode 'jpeg(quality: 85)' --in photo.png --out photo.jpg",
                    "encode image-width --in photo.png",
                    .withKeys("encode 'text | sealed' --in ssn.txt --hex --key-file clinic.keys"),
                    "encode 'text | gzip' < notes.txt > notes.gz",
                    "encode keyed-archive --in people.json --extract users.0 --json",
                ]
            )
        )
    }

    private static var wholeCount: Int { 1 << 20 }

    @OptionGroup var expression: ExpressionArgument

    @Argument(help: "The value; “-” is standard input, which is the default unless --in is given.")
    var value: String?

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var encoded: EncodedOptions
    @OptionGroup var part: PartOptions
    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let codec = try expression.codec(in: keys.registry(session))
        let path = try part.path
        let source = try input.source(argument: value, session.io)
        try session.requireSeparate(output, from: source, keys)
        var bytes: Data?
        if path == nil, !part.json, let stages = codec.pieces, encoded.notation == nil, session.takesPieces(output),
            let input = try InputPieces(source, session.io)
        {
            // Small values are encoded as a whole, which for some stages produces a different format.
            bytes = try input.readAll(ifAtMost: Self.wholeCount)
            guard bytes != nil else {
                return try session.write(to: output, isConfidential: false) { put in
                    try codec.encode(input, by: stages, put)
                }
            }
        }
        var value = try codec.value(bytes ?? source.read(session.io), from: source)
        if let path { value = try path.part(of: value) }
        let result = try codec.encode(value)
        for remark in codec.remarks(on: value) { session.tell("note: \(remark)") }
        guard part.json else {
            return try session.write(codec.content(ofEncoded: result, encoded.notation), to: output)
        }
        let json = try codec.json(ofEncoded: result, encoded.notation)
        try session.write(part.document(codec.members, "encoded", json), to: output)
    }
}
