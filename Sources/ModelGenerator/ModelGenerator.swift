internal import Foundation
internal import TransformableCoreDataModel

/// Generates the code of one model, for the plugins of the package manager: `ModelGenerator MODEL OUTPUT [MAP]
/// [--check]`.
///
/// The output is a file, if its name ends with `.swift`, or a folder. It is a program of its own, so that packages that
/// use the plugins build neither a database nor the libraries of every transformer for it.
@main
struct ModelGenerator {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let paths = arguments.filter { $0 != "--check" }.map { URL(filePath: $0) }
        guard (2...3).contains(paths.count) else { fail("usage: ModelGenerator MODEL OUTPUT [MAP] [--check]") }
        do {
            let source = try ModelSource(contentsOf: paths[0].relativePath)
            let document = try ModelDocument(source, at: paths[0], map: paths.count == 3 ? paths[2] : nil)
            let code = document.code()
            for note in document.notes + code.notes { tell("note: \(paths[0].lastPathComponent): \(note)") }
            if paths[1].pathExtension == "swift" {
                try write(code.singleFile.text, to: paths[1])
            } else {
                try update(paths[1], to: code, isCheck: arguments.contains("--check"))
            }
        } catch {
            fail("error: \(error)")
        }
    }

    /// Writes a file unless it has the same content, because a file that is written again is compiled again.
    private static func write(_ text: String, to url: URL) throws {
        let new = Data(text.utf8)
        if (try? Data(contentsOf: url)) != new { try new.write(to: url, options: .atomic) }
    }

    private static func update(_ folder: URL, to code: ModelCode, isCheck: Bool) throws {
        let differences = try GeneratedFolder(at: folder).differences(from: code)
        for difference in differences {
            tell("\(difference.kind.rawValue) \(folder.lastPathComponent)/\(difference.file)")
        }
        guard !isCheck else { exit(differences.isEmpty ? 0 : 1) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in code.files { try write(file.text, to: folder.appending(path: file.name)) }
    }

    private static func tell(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }

    private static func fail(_ line: String) -> Never {
        tell(line)
        exit(1)
    }
}
