import Foundation
import PackagePlugin

/// Generates the classes of the models in targets as files that can be checked in.
///
/// `swift package generate-model [--target NAME] [--out FOLDER] [--check]`
@main
struct GenerateModelCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        let folder = extractor.extractOption(named: "out").last
        let isCheck = extractor.extractFlag(named: "check") > 0
        if let rest = extractor.remainingArguments.first {
            throw Refusal("“\(rest)” is not an argument of generate-model; use --target, --out, or --check")
        }
        let generator = try context.tool(named: "ModelGenerator").url
        let targets = try names.isEmpty ? context.package.targets : context.package.targets(named: names)
        let models = targets.compactMap { $0.sourceModule?.directoryURL }.flatMap(Self.models)
        if models.isEmpty { throw Refusal("the targets contain no .xcdatamodeld or .transformable.json") }
        var isGenerated = true
        for model in models {
            let beside = model.deletingLastPathComponent().appending(path: "Generated")
            let output = folder.map { Self.folder($0, in: context.package.directoryURL) } ?? beside
            let options = isCheck ? ["--check"] : []
            isGenerated =
                try Self.run(generator, [model.path, output.path] + Self.map(of: model) + options) && isGenerated
        }
        if !isGenerated { throw Refusal(isCheck ? Self.difference : "the code of a model could not be generated") }
    }

    private static let difference = "the files differ from the generated code; run the command without --check"
    private static let suffixes = [".transformable.json", ".xcdatamodeld"]

    /// Returns a folder that is named by its path in the package, or by its absolute path.
    private static func folder(_ path: String, in root: URL) -> URL {
        path.hasPrefix("/") ? URL(filePath: path) : root.appending(path: path)
    }

    private static func models(in folder: URL) -> [URL] {
        let urls = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        return (urls?.compactMap { $0 as? URL } ?? [])
            .filter { url in suffixes.contains(where: url.lastPathComponent.hasSuffix) }
            .sorted { $0.path < $1.path }
    }

    private static func map(of model: URL) -> [String] {
        let name = model.lastPathComponent
        guard let suffix = suffixes.first(where: name.hasSuffix) else { return [] }
        let map = model.deletingLastPathComponent().appending(path: "\(name.dropLast(suffix.count)).map.json")
        return FileManager.default.fileExists(atPath: map.path) ? [map.path] : []
    }

    private static func run(_ program: URL, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// The reason why nothing was generated.
private struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
