import Foundation
import GRDB
import ImagePlugin
import Testing
import Transformable

/// What hostile files contain must not control the terminal, or pass for what a command says itself.
@Suite struct HostileNameTests {
    /// A gray picture of one pixel, which Python wrote with `zlib` and `struct`.
    ///
    /// The camera's make is `Canon\n  width:         9999`. The texts are `x` with the keyword
    /// `\x1b]0;pwned\x07\x1b[2J`, and `9` with the keyword `width`.
    private static let picture = """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAANmVYSWZNTQAqAAAACAABAQ8AAgAAABwAAAAaAAAAAENhbm9uCiAgd2lk\
        dGg6ICAgICAgICAgOTk5OQBnq7xDAAAAEHRFWHQbXTA7cHduZWQHG1sySgB4CBrfQAAAAAd0RVh0d2lkdGgAOStlZJwAAAAKSURBVHic\
        Y2AHAAAJAAggI8OMAAAAAElFTkSuQmCC
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func inspect(_ arguments: String...) throws -> CommandRun {
        let bytes = try #require(Data(base64Encoded: Self.picture))
        return try CommandRun(arguments: ["inspect", "-"] + arguments, input: bytes) { _ in
            try TransformerRegistry { ImagePlugin() }
        }
    }

    @Test func aPictureCannotControlTheTerminalOrForgeALine() throws {
        let lines = try inspect().output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("  width: ") }.map { $0.split(separator: " ").last } == ["1"])
        #expect(lines.filter { $0.hasPrefix("  make: ") }.count == 1)
        #expect(lines.contains { $0.hasSuffix("  Canon\\n  width:         9999") })
        #expect(lines.contains { $0.hasPrefix("  text “\\u{1b}]0;pwned\\u{7}\\u{1b}[2J”:  x") })
    }

    @Test func aPictureCannotForgeAMemberOfTheJSON() throws {
        let report = try #require(
            try JSONSerialization.jsonObject(with: inspect("--json").outputBytes) as? [String: Any]
        )
        let facts = try #require(report["facts"] as? [String: Any])
        #expect(facts["width"] as? Int == 1)
        #expect(facts["text “width”"] as? Int == 9)
    }

    /// A store like Core Data's whose entity has a name that clears the screen.
    @Test func anEntityOfACoreDataStoreCannotControlTheTerminal() throws {
        let path = folder.path("notes.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
                        Z_MAX INTEGER);
                    INSERT INTO Z_METADATA VALUES (1, '8E430534-5F59-49DB-9479-C3290AE2713E', x'00');
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note' || char(27) || '[2J' || char(10) || 'x', 0, 0);
                    """
            )
        }
        try queue.close()
        let run = try CommandRun("inspect", path)
        #expect(run.output.hasSuffix("\n  Note\\u{1b}[2J\\nx:  not readable\n"), "\(run.output)\(run.messages)")
    }
}
