import Foundation
import KeyedArchivePlugin
import Testing
import Transformable
import TransformableTesting

/// The laws of the transformers with limits on an archive: what they refuse to read, they must refuse to write.
@Suite struct KeyedArchiveLawTests {
    struct Limits: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limits: KeyedArchiveLimits
    }

    static let limits = [
        Limits(testDescription: "bytes", limits: KeyedArchiveLimits(bytes: 2_000)),
        Limits(testDescription: "objects", limits: KeyedArchiveLimits(objects: 60)),
        Limits(testDescription: "depth", limits: KeyedArchiveLimits(depth: 6)),
    ]

    /// The tests of all plugins' laws and those of mutations try damage.
    private static let options = {
        var options = LawOptions()
        options.damagesPerValue = 16
        options.oversizedValues = 0
        return options
    }()

    /// Around every limit: many values, long values, deep values, and arrays that contain the same array twice.
    private static let values: [ArchivedValue] = {
        let counts = [0, 1, 20, 30, 50, 52, 54, 56, 58, 60, 62, 100, 200, 500]
        let many = counts.map { ArchivedValue.array(ArchivedArray((0..<$0).map { .integer(Int128($0)) })) }
        let equal = counts.map { ArchivedValue.array(ArchivedArray(Array(repeating: "same", count: $0))) }
        let long = [100, 1_000, 1_400, 1_800, 1_900, 2_000, 5_000].map { ArchivedValue.data(Data(count: $0)) }
        let deep = (1...9).map { (0..<$0).reduce(ArchivedValue.null) { inner, _ in [inner] } }
        let dictionaries = (1...9).map { (0..<$0).reduce(ArchivedValue.null) { inner, _ in ["a": inner] } }
        let shared = (1...7).map { (0..<$0).reduce(ArchivedValue.string("a")) { inner, _ in [inner, inner] } }
        return many + equal + long + deep + dictionaries + shared
    }()

    @Test(arguments: KeyedArchiveFormat.allCases, limits)
    func valuesAreOnlyWrittenIfTheyCanBeRead(format: KeyedArchiveFormat, limits: Limits) {
        assertTransformerLaws(
            of: ArchivedValueTransformer(format: format, limits: limits.limits),
            values: [1],
            limiting: Self.values,
            options: Self.options
        )
    }

    struct Folder: Codable, Equatable {
        var name = "a"
        var folders: [Folder] = []
    }

    @Test(arguments: KeyedArchiveFormat.allCases, limits)
    func typesAreOnlyWrittenIfTheyCanBeRead(format: KeyedArchiveFormat, limits: Limits) {
        let deep = (1...6).map { (1..<$0).reduce(Folder()) { inner, _ in Folder(folders: [inner]) } }
        let wide = [1, 10, 15, 20, 25, 30, 50].map { Folder(folders: Array(repeating: Folder(), count: $0)) }
        let long = [100, 500, 900, 1_900, 5_000].map { Folder(name: String(repeating: "é", count: $0)) }
        assertTransformerLaws(
            of: KeyedArchiveTransformer<Folder>(format: format, limits: limits.limits),
            values: [Folder()],
            limiting: deep + wide + long,
            options: Self.options
        )
    }

    /// A folder takes two levels, of which `Codable` types can have 512.
    @Test(arguments: KeyedArchiveFormat.allCases)
    func deepTypesAreOnlyWrittenIfTheyCanBeRead(format: KeyedArchiveFormat) {
        let deep = (253...259).map { (1..<$0).reduce(Folder()) { inner, _ in Folder(folders: [inner]) } }
        assertTransformerLaws(
            of: KeyedArchiveTransformer<Folder>(format: format),
            values: [Folder()],
            limiting: deep,
            options: Self.options
        )
    }
}
