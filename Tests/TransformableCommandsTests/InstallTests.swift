import Foundation
import Testing

/// The files that `make install` installs.
@Suite struct InstallTests {
    private func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test func installsToTheStandardFolders() throws {
        let folder = try TemporaryFolder()
        let script = URL(filePath: #filePath).appending(path: "../../../Scripts/install.sh").standardized.path
        let binary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "transformable")
        let prefix = folder.path("usr")
        let installed = try run("/bin/bash", script, binary.path, prefix)
        #expect(installed.status == 0, "\(installed.output)")
        #expect(try run("\(prefix)/bin/transformable", "--version").output == "1.0.0\n")
        for file in [
            "share/man/man1/transformable.1", "share/man/man1/transformable-store-show.1",
            "share/man/man1/transformable-keys-new.1", "share/man/man7/transformable-conditions.7",
            "share/man/man7/transformable-models.7", "share/bash-completion/completions/transformable",
            "share/zsh/site-functions/_transformable", "share/fish/vendor_completions.d/transformable.fish",
        ] {
            let text = try String(contentsOfFile: "\(prefix)/\(file)", encoding: .utf8)
            #expect(text.contains("transformable"), "\(file)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(prefix)/share/man/man1/transformable-manual.1"))
    }

    @Test func manCanReadThePages() throws {
        let folder = try TemporaryFolder()
        #expect(try CommandRun("manual", folder.url.path).status == 0)
        let page = try String(contentsOfFile: folder.path("man1/transformable-store-show.1"), encoding: .utf8)
        #expect(page.hasPrefix(".TH \"TRANSFORMABLE\\-STORE\\-SHOW\" \"1\""))
        for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "OPTIONS", "SEE ALSO"] {
            #expect(page.contains("\n.SH \(heading)\n"))
        }
        #expect(page.contains(".B \\-\\-where <condition>"))
        // A line that begins with a dot or an apostrophe would be a command.
        let commands = page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        #expect(
            commands.allSatisfy {
                [".TH", ".SH", ".PP", ".TP", ".B ", ".BR", ".br", ".nf", ".fi"].contains($0.prefix(3))
            }
        )
        let refused = try CommandRun("manual", "/dev/null/x")
        #expect(refused.status == 73)
        #expect(refused.messages == "error: cannot create “/dev/null/x/man1”: not a directory\n")
    }
}
