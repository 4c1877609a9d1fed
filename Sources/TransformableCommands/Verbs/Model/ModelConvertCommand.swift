internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableCoreData
internal import TransformableModel

/// `model convert`: writes a model as JSON.
struct ModelConvertCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "convert",
            abstract: "Convert a model to the JSON that “store create --model” reads.",
            discussion: Help.lines(
                """
                Each part that has no counterpart is reported on standard error, with what happened to it. The \
                map is a JSON file that names expressions for the value transformers of Core Data, by the name \
                of the attribute, of the transformer, or of the class: \
                {"transformers": {"ColorsTransformer": "acme.colors", "Person.portrait": "png"}}.
                """,
                examples: [
                    "model convert Clinic.xcdatamodeld --out clinic.json",
                    "model convert Clinic.sqlite --map map.json --strict > clinic.json",
                    "model convert Clinic.xcdatamodeld --out clinic.json --json",
                ]
            )
        )
    }

    @Argument(help: "The model.", completion: .file())
    var model: String

    @OptionGroup var version: ModelVersionOption

    @Option(
        help: ArgumentHelp("The JSON file that maps the model's transformers and types.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var map: String?

    @Option(help: ArgumentHelp("The version of the converted model; 1 by default.", valueName: "number"))
    var number: Int?

    @Flag(help: "If anything would be lost, write nothing and exit with status 65.")
    var strict = false

    @Flag(help: "Write the notes to standard output, as JSON; requires --out.")
    var json = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let number, number < 1 { throw ValidationError("--number must be at least 1") }
        if json, output.path == nil { throw ValidationError("--json lists the notes, and requires --out") }
    }

    func run() throws {
        let session = Session.current
        let map = try ModelMap.reading(map)
        let result = try ModelSource.reading(model, version: version.modelVersion)
            .converted(map: map, version: number)
        let losses = result.notes.count(where: \.isLoss)
        if !json {
            for note in result.notes { session.tell("note: \(note)") }
        }
        if strict, losses > 0 {
            if json { try session.print(json: ConversionReport(result.notes)) }
            throw CommandError(.badInput, "\(losses.counted("property")) would be lost; nothing was written")
        }
        try session.write(Content(bytes: result.model.json, isLine: true), to: output)
        if json { try session.print(json: ConversionReport(result.notes)) }
    }
}

extension ModelMap {
    /// Reads a map, or returns an empty one if there is no file.
    static func reading(_ path: String?) throws -> Self {
        guard let path else { return Self() }
        return try Self(json: InputSource.file(path).read(Session.current.io), file: path)
    }
}
