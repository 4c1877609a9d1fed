import Foundation
import PackagePlugin

/// Generates the classes of the models in a target when the target is built.
///
/// The models are the `.xcdatamodeld` folders and `.transformable.json` files in the folder of the target. Each becomes
/// one file. Beside a model, a file such as `Clinic.map.json` can say what the model does not.
@main
struct TransformableModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let generator = try context.tool(named: "ModelGenerator")
        return ModelFile.all(in: module.directoryURL)
            .map { model in
                let output = context.pluginWorkDirectoryURL.appending(path: model.generatedName)
                return .buildCommand(
                    displayName: "Generating \(model.generatedName)",
                    executable: generator.url,
                    arguments: [model.url.path, output.path] + (model.map.map { [$0.path] } ?? []),
                    inputFiles: model.inputs,
                    outputFiles: [output]
                )
            }
    }
}

/// A model in the folder of a target.
private struct ModelFile {
    let url: URL
    let name: String
    private let manager = FileManager.default

    private static let suffixes = [".transformable.json", ".xcdatamodeld"]

    init?(_ url: URL) {
        guard let suffix = Self.suffixes.first(where: url.lastPathComponent.hasSuffix) else { return nil }
        self.url = url
        name = String(url.lastPathComponent.dropLast(suffix.count))
    }

    /// Returns the models in a folder and the folders in it, sorted by path.
    static func all(in folder: URL) -> [Self] {
        // Hidden files are not models, but the copies of editors and archivers, or what a build has left.
        let urls = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        return (urls?.compactMap { ($0 as? URL).flatMap(Self.init) } ?? []).sorted { $0.url.path < $1.url.path }
    }

    /// The name of the generated file, which names the model even if a target has two models with similar names.
    var generatedName: String { "\(name).generated.swift" }

    /// The JSON file that maps the model's transformers and types, or nil if there is none.
    var map: URL? {
        let map = url.deletingLastPathComponent().appending(path: "\(name).map.json")
        return manager.fileExists(atPath: map.path) ? map : nil
    }

    /// The files that the code depends on: the versions of a model, and the name of the current one.
    var inputs: [URL] {
        let files = manager.enumerator(at: url, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        let parts = files.filter { ["contents", ".xccurrentversion"].contains($0.lastPathComponent) }
        return [url] + parts.sorted { $0.path < $1.path } + [map].compactMap(\.self)
    }
}
