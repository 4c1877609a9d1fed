internal import ArgumentParser
internal import Foundation
internal import TransformableCoreData
internal import TransformableStore

/// Where the models of an adoption come from.
struct AdoptedModelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app's model (.xcdatamodeld, .momd, .mom), in place of the one in the store. The two must match.",
            valueName: "file"
        ),
        completion: .file()
    )
    var model: String?

    @Option(
        help: ArgumentHelp("The version of the app's model, in place of its current one.", valueName: "name")
    )
    var modelVersion: String?

    @Option(
        help: ArgumentHelp(
            "The JSON file that maps the model's transformers and types.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var map: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The new store's model, in place of the converted one. Names must be those of Core Data's model.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var target: String?

    func validate() throws {
        if modelVersion != nil, model == nil { throw ValidationError("--model-version requires --model") }
        if map != nil, target != nil {
            throw ValidationError("--map adapts the converted model, so it cannot be combined with --as")
        }
    }

    /// Returns the app's model, or `nil` to use the one in the store.
    func coreDataModel() throws -> CoreDataModel? {
        try model.map { try CoreDataModel(contentsOf: $0, version: modelVersion) }
    }

    /// Returns the new store's model, and notes about its conversion.
    func model(for store: CoreDataStore, _ session: Session) throws -> (model: Model, notes: [CoreDataNote]) {
        if let target { return (try Model(json: InputSource.file(target).read(session.io)), []) }
        let map = try map.map { try ModelMap(json: InputSource.file($0).read(session.io), file: $0) }
        let conversion = try store.model.converted(map: map ?? ModelMap())
        return (conversion.model, conversion.notes)
    }
}
