internal import ArgumentParser
internal import Foundation
internal import TransformableCoreData

/// `model generate`: writes the Swift classes of a model.
struct ModelGenerateCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "generate",
            abstract: "Generate a Swift class for each entity of a model.",
            discussion: Help.lines(
                """
                Writes a file such as “Patient.generated.swift” for each entity, with an @Entity class, and one \
                that opens stores for all classes. A file is written only if its content changes. Write your \
                own code in extensions, in other files: generated files are replaced as a whole. What classes \
                cannot express is reported on standard error.

                The map is a JSON file with the names of classes, the Swift types of values, and the modules to \
                import: {"classes": {"Person": "PersonRecord"}, "types": {"Person.mood": "Mood"}, \
                "initialValues": {"Person.mood": ".neutral"}, "imports": ["Moods"], "access": "public"}.
                """,
                examples: [
                    "model generate Clinic.xcdatamodeld --out Sources/App/Model",
                    "model generate clinic.json --out Sources/App/Model --access public",
                    "model generate clinic.json --out Sources/App/Model --check",
                ]
            )
        )
    }

    @OptionGroup var source: ModelSourceArgument

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp("The folder of the generated files, which is created if necessary.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @Flag(help: "Write nothing; exit with status 1 if a file is missing, changed, or no longer part of the model.")
    var check = false

    @Flag(help: "Write nothing; list the generated files whose entities are no longer part of the model.")
    var orphaned = false

    @Flag(help: "Write nothing; list the files that would be generated.")
    var list = false

    @Option(help: ArgumentHelp("internal, package, or public.", valueName: "level"))
    var access: String?

    func validate() throws {
        if folder.isEmpty { throw ValidationError("--out requires the name of a folder") }
        if [check, orphaned, list].filter(\.self).count > 1 {
            throw ValidationError("--check, --orphaned, and --list cannot be combined")
        }
        if let access, ModelCode.Access(rawValue: access) == nil {
            throw ValidationError("--access must be internal, package, or public")
        }
    }

    func run() throws {
        let session = Session.current
        let document = try source.document()
        let code = document.code(access: access.flatMap(ModelCode.Access.init))
        let generated = GeneratedFolder(at: URL(filePath: folder))
        if list { return try show(code.files.map(\.name), session) }
        if orphaned { return try show(generated.orphans(of: code), session) }
        for note in document.notes + code.notes { session.tell("note: \(note)") }
        let differences = try generated.differences(from: code)
        try check ? report(differences, session) : write(code, differences, session)
    }

    private func show(_ names: [String], _ session: Session) throws {
        guard !names.isEmpty else { return }
        try session.print(names.map(path).joined(separator: "\n"))
    }

    private func report(_ differences: [GeneratedFolder.Difference], _ session: Session) throws {
        guard !differences.isEmpty else { return }
        try session.print(differences.map { "\($0.kind.rawValue) \(path($0.file))" }.joined(separator: "\n"))
        throw CommandError(
            .faultsFound,
            "files in “\(folder)” differ from the generated code; to update them, run the command without --check"
        )
    }

    private func write(
        _ code: ModelCode,
        _ differences: [GeneratedFolder.Difference],
        _ session: Session
    ) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandError(.cannotCreate, "cannot create “\(folder)”: \(ErrorLine.sentence(for: error))")
        }
        let changed = Set(differences.filter { $0.kind != .orphaned }.map(\.file))
        let files = code.files.filter { changed.contains($0.name) }
        for file in files { try OutputFile(path(file.name), session.temporaryFiles).write(Data(file.text.utf8)) }
        // Only now, because the reader of the list can end before it has read all of it.
        try show(files.map(\.name), session)
        for difference in differences where difference.kind == .orphaned {
            session.tell("note: \(path(difference.file)) is no longer part of the model; delete it")
        }
    }

    private func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }
}
