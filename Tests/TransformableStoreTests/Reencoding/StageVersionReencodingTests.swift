import Foundation
import Testing
import Transformable
import TransformableStore

/// A byte with the version of the stage that wrote a value, before its bytes.
///
/// A version reads what earlier versions have written, and nothing else.
private struct MarkTransformer: Transformer {
    let version: UInt8

    var traits: TransformerTraits { .deterministic }

    func encode(_ value: Data, in context: TransformContext) -> Data { Data([version]) + value }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
        guard let written = encoded.first, written <= version else {
            throw TransformerError.invalidData("the bytes are from a later version")
        }
        return Data(encoded.dropFirst())
    }
}

/// Programs with different versions of a stage that re-encode the same store.
@Suite(.eachEngine) struct StageVersionReencodingTests {
    private struct Stop: Error, Equatable {}

    private static let count = 600
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    /// Opens the store as a program that has a version of the stage.
    private func open(
        _ text: String,
        other: String = "text",
        stage: UInt8,
        version: Int = 1,
        steps: [MigrationStep] = []
    ) throws -> Store {
        let attributes: [AttributeDescription] = [
            .transformed("text", text, as: String.self), .transformed("other", other, as: String.self),
        ]
        return try Store.trial(
            at: folder.file(),
            model: Model(version: version, entities: [EntityDescription("Note", attributes: attributes)]),
            transformers: TransformerRegistry {
                Registration.text
                Registration("mark", version: Int(stage), MarkTransformer(version: stage))
            },
            options: Store.Options(changedTransformers: version == 1 ? .refuse : .reencode),
            migrations: steps
        )
    }

    private func fill(_ store: Store) throws {
        try store.insert(many: 0..<Self.count, into: "Note") { note, number in
            try note.setValue("note \(number)", for: "text")
            try note.setValue("other \(number)", for: "other")
        }
    }

    private func values(_ name: String, of store: Store) throws -> [String] {
        try store.read { try $0.fetch("Note").map { try $0.value(name, as: String.self) } }
    }

    private static func expected(_ word: String) -> [String] { (0..<count).map { "\(word) \($0)" } }

    /// Of the 600 values, 512 wait in a form that the second program cannot read.
    @Test func anEarlierVersionBeginsAgainRatherThanLosingValues() throws {
        let reencoding = Reencoding("text", of: "Note", to: .transformer("text | mark"))
        let newer = try open("text", stage: 2)
        try fill(newer)
        #expect(throws: Stop.self) { try newer.reencode(reencoding) { _ in throw Stop() } }
        try newer.close()
        let older = try open("text", stage: 1)
        #expect(try older.reencode(reencoding).cells == Self.count)
        try older.close()
        #expect(try values("text", of: open("text | mark", stage: 1)) == Self.expected("note"))
    }

    /// The store was opened with a later version of a stage that another attribute has.
    @Test func aFailedMigrationRecordsNoLaterVersionOfAStage() throws {
        let older = try open("text", other: "text | mark", stage: 1)
        try fill(older)
        let step = MigrationStep(from: 1, to: 2) { _ in throw Stop() }
        #expect(throws: Stop()) { try open("text | mark", other: "text | mark", stage: 2, version: 2, steps: [step]) }
        #expect(try values("other", of: older) == Self.expected("other"))
        try older.close()
        let again = try open("text", other: "text | mark", stage: 1)
        #expect(try values("text", of: again) == Self.expected("note"))
        try again.close()
        let newer = try open("text | mark", other: "text | mark", stage: 2, version: 2)
        #expect(try values("text", of: newer) == Self.expected("note"))
        #expect(try values("other", of: newer) == Self.expected("other"))
    }
}
