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
            "The new store's model, in place of the converted one. Use the same names as the Core Data model.",
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

    /// Opens the store with the app's model, or with the model in the store if no other one is given.
    ///
    /// - Throws: `CoreDataError` if the store or the model cannot be read, or if they do not match. The error names the
    ///   versions of the app's model that do match, if there are any.
    func open(_ source: URL, _ options: CoreDataStore.Options) throws -> CoreDataStore {
        let app = try model.map { try CoreDataModel(contentsOf: $0, version: modelVersion) }
        do {
            return try CoreDataStore(at: source, model: app, options: options)
        } catch let error as CoreDataError where error.code == .missingModel {
            let reason = "the store does not contain its model; give the app's model with --model"
            throw CoreDataError(.missingModel, reason, file: error.file)
        } catch let error as CoreDataError where error.code == .modelMismatch {
            let versions = matchingVersions(source).map { "“\($0)”" }
            guard !versions.isEmpty else { throw error }
            let (which, pronoun) = versions.count == 1 ? ("the version", "it") : ("the versions", "one")
            let reason = "the store matches \(which) \(versions.joined(separator: ", ")) of the app's model"
            throw CoreDataError(.modelMismatch, "\(reason); select \(pronoun) with --model-version", file: error.file)
        }
    }

    /// Returns the versions of the app's model with which a store can be opened.
    private func matchingVersions(_ source: URL) -> [String] {
        guard let model, let versions = try? CoreDataModel.versions(at: model).names else { return [] }
        return versions.filter { name in
            guard let version = try? CoreDataModel(contentsOf: model, version: name) else { return false }
            return (try? CoreDataStore(at: source, model: version)) != nil
        }
    }

    /// Returns the new store's model, and notes about its conversion.
    func model(for store: CoreDataStore, _ session: Session) throws -> (model: Model, notes: [CoreDataNote]) {
        if let target { return (try InputSource.file(target).readModel(session.io), []) }
        let map = try map.map { try ModelMap(json: InputSource.file($0).read(session.io), file: $0) }
        let conversion = try store.model.converted(map: map ?? ModelMap())
        return (conversion.model, conversion.notes)
    }
}
