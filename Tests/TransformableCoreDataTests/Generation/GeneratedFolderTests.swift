import Foundation
import Testing
import TransformableCoreData
import TransformableModel

@Suite struct GeneratedFolderTests {
    private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    @Test func findsEveryKindOfDifference() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = GeneratedFolder(at: url)
        let code = try Self.code("A", "B", "C")
        #expect(try folder.differences(from: code).map(\.kind) == [.missing, .missing, .missing, .missing])
        try write(code)
        #expect(try folder.differences(from: code) == [])

        try FileManager.default.removeItem(at: url.appending(path: "B.generated.swift"))
        try Data("// mine\n".utf8).write(to: url.appending(path: "A+More.swift"))
        let file = url.appending(path: "C.generated.swift")
        try (Data(contentsOf: file) + Data("\n".utf8)).write(to: file)
        #expect(
            try folder.differences(from: code).map(\.description) == [
                "missing: B.generated.swift", "changed: C.generated.swift",
            ]
        )
    }

    @Test func findsOnlyOrphansOfTheSameModel() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try write(try Self.code("A", "B"))
        try write(try Self.code(named: "Other", "D"))
        let folder = GeneratedFolder(at: url)
        #expect(try folder.orphans(of: try Self.code("A")) == ["B.generated.swift"])
        #expect(try folder.orphans(of: try Self.code(named: "Other", "D")) == [])
    }

    private func write(_ code: ModelCode) throws {
        for file in code.files { try Data(file.text.utf8).write(to: url.appending(path: file.name)) }
    }

    private static func code(named name: String = "App", _ entities: String...) throws -> ModelCode {
        ModelCode(of: try Model(entities: entities.map { EntityDescription($0) }), named: name)
    }
}
