import Foundation
import GeometryPlugin
import Testing
import Transformable

/// Strings that Apple's frameworks wrote into files of public projects.
@Suite(.enabled(if: AppleStrings.folder != nil)) struct AppleStringsTests {
    @Test func roundTrip() throws {
        let strings = try AppleStrings.all()
        #expect(strings.count > 700)
        for (kind, string) in strings {
            let again =
                string.hasPrefix("{{")
                ? try rewritten(string, GeometryTransformer<CGRect>(style: .apple))
                : try rewritten(string, GeometryTransformer<CGPoint>(style: .apple))
            #expect(again == string || !kind.hasPrefix("NSValue"), "\(kind)")
        }
    }

    private func rewritten<Value>(_ string: String, _ transformer: GeometryTransformer<Value>) throws -> String {
        try transformer.encode(transformer.decode(string))
    }
}

enum AppleStrings {
    static let folder = ProcessInfo.processInfo.environment["TRANSFORMABLE_CORPORA"]

    static func all() throws -> [(kind: String, string: String)] {
        let file = URL(filePath: try #require(folder)).appending(path: "geometry/apple-geometry-strings.tsv")
        return try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
            .map { ($0[0], $0[1]) }
    }
}
