import Foundation
import Testing

struct OutputFileTests {
    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func leavesTheFileUnchangedIfEncodingFails() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write(Data("before".utf8), "target")
        #expect(try CommandRun("encode", "number", "x", "--out", target).status == 65)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "before")
        #expect(try folder.names == ["target"])
    }

    @Test func replacesAFileAndKeepsItsMode() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write(Data("before".utf8), "target")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
        #expect(try CommandRun("encode", "text", "after", "--out", target).status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "after")
        #expect(try mode(of: target) == 0o640)
        #expect(try folder.names == ["target"])
    }

    // With its mode alone, a file that a group shares would be open to the group of whoever writes it.
    @Test(.enabled(if: getuid() == 0, "only root can set the owner of a file"))
    func keepsTheOwnerAndTheGroup() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write(Data("before".utf8), "target")
        try #require(chown(target, 12345, 23456) == 0 && chmod(target, 0o640) == 0)
        #expect(try CommandRun("encode", "text", "after", "--out", target).status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "after")
        var status = stat()
        lstat(target, &status)
        #expect(status.st_uid == 12345 && status.st_gid == 23456)
        #expect(try mode(of: target) == 0o640)
    }

    @Test func writesThroughALink() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write(Data("before".utf8), "target")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "target")
        #expect(try CommandRun("encode", "text", "after", "--out", folder.path("link")).status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "after")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "target")
    }

    @Test func createsTheTargetOfADanglingLink() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "target")
        #expect(try CommandRun("encode", "text", "after", "--out", folder.path("link")).status == 0)
        #expect(try folder.names == ["link", "target"])
    }

    @Test func rejectsALoopOfLinks() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("a"), withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: folder.path("b"), withDestinationPath: "a")
        #expect(try CommandRun("encode", "text", "x", "--out", folder.path("a")).status == 73)
        #expect(try folder.names == ["a", "b"])
    }

    @Test func writesToADeviceInPlace() throws {
        #expect(try CommandRun("encode", "text", "x", "--out", "/dev/null").status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
        #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
    }

    @Test(arguments: ["file", "./file", "link"])
    func doesNotReplaceItsInput(output: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("hello".utf8), "file")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "file")
        for verb in ["encode", "decode"] {
            let run = try CommandRun(verb, "text", "--in", file, "--out", "\(folder.url.path)/\(output)")
            #expect(run.status == 64)
            #expect(run.messages.hasSuffix("cannot also be its output; choose another file for --out\n"))
        }
        #expect(try CommandRun("encode", "text", "x", "--out", folder.path("link")).status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "x")
    }
}
