import Foundation

/// The folder of inputs that broke something: each with the reason in its name and in a text file next to it.
final class Findings {
    /// How many inputs of one transformer and one reason are kept.
    private static let perReason = 20

    private let folder: URL

    /// Uses a folder, which is made when there is something to keep.
    init(folder: URL) {
        self.folder = folder
    }

    /// How many inputs this run has kept, including its workers.
    var count: Int {
        let files = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        return files?.compactMap { $0 as? URL }
            .filter { url in
                let date = try? url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
                return url.pathExtension == "bin" && (date ?? .distantPast) >= start
            }
            .count ?? 0
    }

    private let start = Date()

    /// Keeps an input, unless there are enough of its kind.
    func keep(_ input: [UInt8], of expression: String, reason: String, details: String) {
        let place = folder.appending(path: Self.fileName(expression))
        let existing = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        guard existing.filter({ $0.hasPrefix(reason) && $0.hasSuffix(".bin") }).count < Self.perReason else { return }
        let name = "\(reason)-\(String(Self.hash(of: input), radix: 16))"
        let text = """
            \(expression)
            \(reason): \(details)
            swift run --package-path Fuzzing fuzz '\(expression)' --input \(place.path)/\(name).bin

            """
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(input).write(to: place.appending(path: "\(name).bin"))
            try Data(text.utf8).write(to: place.appending(path: "\(name).txt"))
        } catch {
            Console.say("cannot keep an input of “\(expression)” that broke it (\(reason)): \(error)")
        }
    }

    private static func fileName(_ expression: String) -> String {
        String(expression.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" }.prefix(80))
    }

    /// FNV-1a, 64 bits: a name for equal inputs, the same in every run.
    private static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
