import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// Archives that macOS wrote, where the folder of corpora is at hand.
@Suite(.enabled(if: Corpus.folder != nil, "TRANSFORMABLE_CORPORA does not name a folder"))
struct CorpusTests {
    @Test(arguments: Corpus.archives)
    func opensOrThrowsATypedError(file: Corpus.File) throws {
        let data = try Data(contentsOf: file.url)
        guard !file.isBroken else {
            #expect(throws: TransformerError.self) { try ArchivedValueTransformer().decode(data) }
            return
        }
        let archive = try Archive(data)
        #expect(archive.count > 0)
        #expect(!archive.description.isEmpty)
        for key in archive.topKeys {
            let transformer = ArchivedValueTransformer(root: key)
            let value = try transformer.decode(data)
            for format in KeyedArchiveFormat.allCases {
                let writer = ArchivedValueTransformer(format: format, root: key)
                #expect(try transformer.decode(writer.encode(value)) == value)
            }
            #expect(try ArchivedValue(json: Data(value.json.utf8)) == value)
        }
    }

    @Test(arguments: [
        ("NSIndexSet-OneRange.archive", ArchivedValue.indexSet(ArchivedIndexSet(IndexSet(0..<50)))),
        (
            "NSIndexSet-ManyRanges.archive",
            .indexSet(
                ArchivedIndexSet(
                    [0..<50, 100..<150, 1_000..<1_050, 0x7FFF_FFFF_FFFF_FFCD..<0x7FFF_FFFF_FFFF_FFFF]
                        .reduce(into: IndexSet()) { $0.insert(integersIn: $1) }
                )
            )
        ),
        ("NSIndexPath-OneIndex.archive", .indexPath(ArchivedIndexPath([52]))),
        ("NSIndexPath-ManyIndices.archive", .indexPath(ArchivedIndexPath([4, 8, 15, 16, 23, 42]))),
        ("NSMutableOrderedSet-Empty.archive", .orderedSet([])),
        ("NSOrderedSet-Numbers.archive", .orderedSet([1, 2, 3, 4, 5])),
        (
            "NSKeyedUnarchiver-NotificationTest.plist",
            .notification(
                ArchivedNotification(
                    "notification-name",
                    object: "notification-object",
                    userInfo: ["notification-key": "notification-val"]
                )
            )
        ),
    ])
    func readsKnownClasses(name: String, value: ArchivedValue) throws {
        let file = try #require(Corpus.archives.first { $0.url.lastPathComponent == name })
        #expect(try ArchivedValueTransformer().decode(Data(contentsOf: file.url)) == value)
    }

    @Test(arguments: Corpus.twins)
    func binaryAndXMLGiveEqualValues(twins: Corpus.Twins) throws {
        let transformer = ArchivedValueTransformer(root: twins.root)
        let binary = try transformer.decode(Data(contentsOf: twins.binary))
        let xml = try transformer.decode(Data(contentsOf: twins.xml))
        #expect(binary == xml)
    }
}

enum Corpus {
    struct File: CustomTestStringConvertible, Sendable {
        let url: URL

        /// Broken on purpose, by the folder's or the file's name.
        var isBroken: Bool {
            let name = url.lastPathComponent
            return url.path.contains("/BrokenData/")
                || ["missing_", "wrong_", "broken_"].contains { name.hasPrefix($0) }
        }

        var testDescription: String { url.lastPathComponent }
    }

    struct Twins: CustomTestStringConvertible, Sendable {
        let binary: URL
        let xml: URL
        let root: String

        var testDescription: String { binary.lastPathComponent }
    }

    static let folder = ProcessInfo.processInfo.environment["TRANSFORMABLE_CORPORA"].map { URL(filePath: $0) }

    static var archives: [File] {
        guard let folder = folder?.appending(path: "archives"),
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else { return [] }
        return files.compactMap { $0 as? URL }
            .filter { !$0.hasDirectoryPath && ["plist", "archive", "bin", "xml"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
            .map(File.init)
    }

    static var twins: [Twins] {
        archives.filter { !$0.isBroken }
            .compactMap { file in
                let name = file.url.lastPathComponent
                let isPlain = name.hasSuffix(".bin")
                guard isPlain || name.hasSuffix(".bin.plist") else { return nil }
                let other = isPlain ? name.dropLast(3) + "xml" : name.dropLast(9) + "xml.plist"
                let xml = file.url.deletingLastPathComponent().appending(path: String(other))
                guard FileManager.default.fileExists(atPath: xml.path) else { return nil }
                return Twins(binary: file.url, xml: xml, root: isPlain ? "$0" : "root")
            }
    }
}
