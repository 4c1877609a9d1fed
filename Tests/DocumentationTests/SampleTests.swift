import Foundation
import GeometryPlugin
import StandardPlugin
import Testing
import Transformable
import TransformableStore

/// Every Swift sample of the README and of the DocC articles stands, line by line, in a test of this
/// folder: what compiles and passes here is what the documentation shows.
@Suite struct SampleTests {
    @Test(arguments: Documentation.files)
    func everySampleOccursInATest(file: Documentation.File) throws {
        let tested = try Documentation.testedLines()
        for sample in try file.samples() {
            let strangers = sample.filter { !tested.contains($0) }
            #expect(strangers == [], "not in any test of this folder")
        }
    }

    @Test(arguments: Documentation.files)
    func modelsInJSONAreValid(file: Documentation.File) throws {
        for sample in try file.samples(of: "json") where sample[0].contains("transformableModel") {
            let model = try Model(json: Data(sample.joined(separator: "\n").utf8))
            let registry = try TransformerRegistry {
                StandardPlugin()
                GeometryPlugin()
            }
            try Store.validate(model, transformers: registry)
        }
    }

    @Test func findsSamples() throws {
        #expect(try Documentation.files.flatMap { try $0.samples() }.count > 100)
        let models = try Documentation.files.flatMap { try $0.samples(of: "json") }
            .filter { $0[0].contains("transformableModel") }
        #expect(!models.isEmpty)
    }
}

/// The texts of this package that show Swift code.
enum Documentation {
    struct File: CustomTestStringConvertible, Sendable {
        let url: URL

        var testDescription: String { url.lastPathComponent }

        /// The lines of each fenced block of a language, without indentation and without trailing comments.
        func samples(of language: String = "swift") throws -> [[String]] {
            var samples: [[String]] = []
            var isInside = false
            for line in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n") {
                if line.hasPrefix("```") {
                    isInside = line == "```\(language)"
                    if isInside { samples.append([]) }
                } else if isInside, let last = samples.indices.last {
                    samples[last].append(normalized(line))
                }
            }
            return samples.map { $0.filter { !$0.isEmpty } }
        }
    }

    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = here.deletingLastPathComponent().deletingLastPathComponent()

    static var files: [File] {
        let folders = ["Sources", "Plugins"].map { root.appending(path: $0) }
        let articles = folders.flatMap { folder in
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL } ?? []
        }
        return ([root.appending(path: "README.md")] + articles.filter { $0.pathExtension == "md" })
            .filter { FileManager.default.fileExists(atPath: $0.path) }
            .sorted { $0.path < $1.path }
            .map(File.init)
    }

    static func testedLines() throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(at: here, includingPropertiesForKeys: nil)
        let texts = try files.filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
        return Set(texts.flatMap { $0.components(separatedBy: "\n") }.map(normalized))
    }

    private static func normalized(_ line: String) -> String {
        let code = line.range(of: "  //").map { line[..<$0.lowerBound] } ?? line[...]
        return code.trimmingCharacters(in: .whitespaces)
    }
}
