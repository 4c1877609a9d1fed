import Foundation
import Testing
import Transformable
import TransformableCommands
import TransformableKeyCommands

@Suite struct ModelGenerateTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private var model: String { folder.appending(path: "Clinic.json").path }
    private var out: String { folder.appending(path: "Code").path }

    private static let json = """
        {"transformableModel": 1, "entities": [
            {"name": "Patient", "attributes": [{"name": "name", "type": "string"}, {"name": "age", "type": "int16"}],
             "relationships": [{"name": "visits", "to": "Visit", "many": true, "inverse": "patient"}]},
            {"name": "Visit", "attributes": [{"name": "reason", "type": "string", "default": "checkup"}],
             "relationships": [{"name": "patient", "to": "Patient", "inverse": "visits"}]}
        ]}
        """

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.json.utf8).write(to: folder.appending(path: "Clinic.json"))
    }

    private func generate(_ options: String...) throws -> CommandRun {
        try CommandRun(arguments: ["model", "generate", model, "--out", out] + options)
    }

    @Test func writesOnlyChangedFiles() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try generate()
        #expect(first.status == 0)
        let names = ["Patient.generated.swift", "Visit.generated.swift", "ClinicSchema.generated.swift"]
        #expect(first.output == names.map { "\(out)/\($0)\n" }.joined())
        let file = URL(filePath: out).appending(path: "Patient.generated.swift")
        let written = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        #expect(try generate().output == "")
        let kept = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        #expect(written == kept)
        let isPublic = try generate("--access", "public")
        #expect(isPublic.output == first.output)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("public nonisolated final class Patient"))
    }

    /// An edit of a generated file or of the model.
    struct Edit: CustomTestStringConvertible {
        let testDescription: String
        let file: String
        let edit: @Sendable (String) -> String?

        init(_ description: String, _ file: String, _ edit: @escaping @Sendable (String) -> String?) {
            testDescription = description
            self.file = file
            self.edit = edit
        }

        init(_ description: String, _ file: String, _ old: String, _ new: String) {
            self.init(description, file) { $0.replacing(old, with: new) }
        }
    }

    static let edits = [
        Edit("a type in the code", "Code/Patient.generated.swift", "Int16", "Int32"),
        Edit("a new property", "Code/Patient.generated.swift", "var name", "var title: String?\n    var name"),
        Edit("a missing property", "Code/Visit.generated.swift", "var reason: String = \"checkup\"", ""),
        Edit("whitespace at the end", "Code/Visit.generated.swift") { "\($0)\n" },
        Edit("an empty file", "Code/Visit.generated.swift") { _ in "" },
        Edit("a deleted file", "Code/ClinicSchema.generated.swift") { _ in nil },
        Edit("line ends", "Code/Patient.generated.swift", "\n", "\r\n"),
        Edit("a renamed attribute in the model", "Clinic.json", "\"age\"", "\"years\""),
        Edit("another default in the model", "Clinic.json", "checkup", "flu"),
        Edit("another version of the model", "Clinic.json", "\"entities\"", "\"version\": 2, \"entities\""),
        Edit("a missing entity in the model", "Clinic.json") { _ in
            "{\"transformableModel\": 1, \"entities\": [{\"name\": \"Visit\"}]}"
        },
    ]

    @Test(arguments: edits)
    func checkFindsAnEditedFile(_ item: Edit) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try generate().status == 0)
        let unchanged = try generate("--check")
        #expect((unchanged.status, unchanged.output) == (0, ""))
        let url = folder.appending(path: item.file)
        if let text = item.edit(try String(contentsOf: url, encoding: .utf8)) {
            try Data(text.utf8).write(to: url)
        } else {
            try FileManager.default.removeItem(at: url)
        }
        let check = try generate("--check")
        #expect(check.status == 1)
        #expect(check.messages.contains("run the command without --check"))
        #expect(try generate().status == 0)
        let isOrphan = item.testDescription == "a missing entity in the model"
        #expect(try generate("--check").status == (isOrphan ? 1 : 0))
    }

    @Test func listsFilesAndOrphans() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try generate("--list").output.split(separator: "\n").count == 3)
        #expect(!FileManager.default.fileExists(atPath: out))
        #expect(try generate().status == 0)
        #expect(try generate("--orphaned").output == "")
        let smaller = "{\"transformableModel\": 1, \"entities\": [{\"name\": \"Visit\"}]}"
        try Data(smaller.utf8).write(to: folder.appending(path: "Clinic.json"))
        #expect(try generate("--orphaned").output == "\(out)/Patient.generated.swift\n")
        let run = try generate()
        #expect(run.messages.contains("Patient.generated.swift is no longer part of the model; delete it"))
    }

    @Test func rejectsModelsThatItCannotRead() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try CommandRun("model", "generate", "\(folder.path)/none.json", "--out", out).status == 66)
        let missing = try CommandRun("model", "generate", "no-such.xcdatamodeld", "--out", out)
        #expect(missing.messages == "error: cannot read “no-such.xcdatamodeld”: no such file or directory\n")
        #expect(try generate("--map", model).status == 65)
        #expect(try generate("--access", "open").status == 64)
        #expect(try generate("--check", "--list").status == 64)
        try Data("{}".utf8).write(to: folder.appending(path: "Clinic.json"))
        #expect(try generate().status == 65)
        try Data(Self.json.utf8).write(to: folder.appending(path: "Clinic.json"))
        try Data().write(to: folder.appending(path: "Code"))
        #expect(try generate().status == 73)
    }

    /// If the list of files cannot be written, all files are there.
    @Test func writesFilesBeforeListingThem() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let readOnly = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        defer { try? readOnly.close() }
        let descriptor = readOnly.fileDescriptor
        let io = CommandIO(input: descriptor, output: descriptor, messages: descriptor)
        let arguments = ["model", "generate", model, "--out", out]
        let status = TransformableCommand.run(arguments, io: io, environment: [:]) { _ in try TransformerRegistry {} }
        #expect(status == 74)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).count == 3)
    }
}
