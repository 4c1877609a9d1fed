import Foundation
import Glibc
import Testing
import TransformableStore

/// Leftovers of killed processes, created by hand.
struct WorkingFolderTests {
    private let folder: Folder
    private let abandoned: URL

    init() throws {
        folder = try Folder()
        abandoned = folder.file(".transformable-0123456789abcdef.tmp")
        try FileManager.default.createDirectory(at: abandoned, withIntermediateDirectories: false)
        try write("result", in: abandoned)
    }

    private func write(_ name: String, in parent: URL) throws {
        try Data(name.utf8).write(to: parent.appending(path: name))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func make() throws -> WorkingFolder {
        try #require(WorkingFolder(in: folder.url.path, watch: nil))
    }

    /// Publishes blobs, as a copy does before it is killed.
    private func publishBlobs(noting number: UInt64? = nil, inLink isLink: Bool = true) throws {
        let blobs = folder.file("copy-blobs")
        try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: false)
        var status = stat()
        #expect(lstat(blobs.path, &status) == 0)
        let inode: UInt64 = if let number { number } else { UInt64(status.st_ino) }
        let note = abandoned.appending(path: "published-\(inode)")
        // Some file systems have no links.
        guard isLink else { return try Data("copy-blobs".utf8).write(to: note) }
        try FileManager.default.createSymbolicLink(atPath: note.path, withDestinationPath: "copy-blobs")
    }

    @Test func folderIsPrivateAndRemovedWithItsOwner() throws {
        var working: WorkingFolder? = try make()
        let path = try #require(working).path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try Data([1]).write(to: URL(filePath: path).appending(path: "result"))
        working = nil
        #expect(try names() == [])
    }

    @Test func removesUnlockedFolders() throws {
        let working = try make()
        #expect(try names() == [URL(filePath: working.path).lastPathComponent])
    }

    @Test func keepsFoldersLockedByOthers() throws {
        let descriptor = open(abandoned.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let working = try make()
        #expect(try names().count == 2)
        withExtendedLifetime(working) {}
    }

    @Test(arguments: [
        ".transformable-0123456789ABCDEF.tmp", ".transformable-0123456789abcde.tmp", ".transformable-0123456789abcdef",
        "transformable-0123456789abcdef.tmp",
    ])
    func keepsFoldersWithOtherNames(name: String) throws {
        try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
        withExtendedLifetime(try make()) {}
        #expect(try names() == [name])
    }

    @Test func keepsALink() throws {
        let name = ".transformable-fedcba9876543210.tmp"
        let other = try Folder()
        try write("kept", in: other.url)
        try FileManager.default.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: other.url.path)
        withExtendedLifetime(try make()) {}
        #expect(try names() == [name])
        #expect(FileManager.default.fileExists(atPath: other.file("kept").path))
    }

    @Test(arguments: [true, false]) func removesBlobsOfACopyThatNeverAppeared(isNotedInLink: Bool) throws {
        try publishBlobs(inLink: isNotedInLink)
        withExtendedLifetime(try make()) {}
        #expect(try names() == [])
    }

    @Test func keepsBlobsOfAnExistingCopy() throws {
        try publishBlobs()
        try FileManager.default.moveItem(at: abandoned.appending(path: "result"), to: folder.file("copy"))
        withExtendedLifetime(try make()) {}
        #expect(try names() == ["copy", "copy-blobs"])
    }

    @Test func keepsBlobsThatAreNotRecorded() throws {
        try publishBlobs(noting: 1)
        withExtendedLifetime(try make()) {}
        #expect(try names() == ["copy-blobs"])
    }

    @Test func publishesAllOrNothing() throws {
        let working = try make()
        try write("result", in: URL(filePath: working.path))
        try write("result-blobs", in: URL(filePath: working.path))
        try FileManager.default.createDirectory(at: folder.file("copy"), withIntermediateDirectories: false)
        #expect(!working.publish(as: folder.file("copy").path, suffixes: ["-blobs"]))
        #expect(FileManager.default.fileExists(atPath: "\(working.path)/result-blobs"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy-blobs").path))
    }
}
