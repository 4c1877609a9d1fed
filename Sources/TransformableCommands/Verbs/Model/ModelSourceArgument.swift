internal import ArgumentParser
internal import Foundation
internal import TransformableCoreData

/// The model that code is generated from.
struct ModelSourceArgument: ParsableArguments {
    @Argument(help: "The model: a JSON file, a store, or a Core Data model or store.", completion: .file())
    var model: String

    @Option(
        help: ArgumentHelp("The version of the model, if there are several and none is current.", valueName: "name")
    )
    var modelVersion: String?

    @Option(
        help: ArgumentHelp("The JSON file that maps the model's transformers and types.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var map: String?

    func validate() throws {
        if model.isEmpty { throw ValidationError("the name of the model's file is empty") }
    }

    /// Reads the model and the map.
    ///
    /// - Returns: The model.
    /// - Throws: `CoreDataError` or `StoreError` if the model or the map cannot be read.
    func document() throws -> ModelDocument {
        let url = URL(filePath: model)
        // Errors name the file as the user does.
        let source = try ModelSource.reading(url.relativePath, version: modelVersion)
        return try ModelDocument(source, at: url, map: map.map { URL(filePath: $0) })
    }
}
