import Foundation
import ImagePlugin
import Transformable

/// Pillow in a Python process of its own, which waits for work while others are measured.
final class PillowPeer {
    private let process = Process()
    private let orders = Pipe()
    private let answers = Pipe()

    /// Starts Pillow with a picture; nil where the system's Python has none.
    init?(_ picture: Picture) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let image = try picture.image()
        let files = [
            ("pixels", picture.pixels),
            ("png", try PNGTransformer().encode(image)),
            ("jpeg", try JPEGTransformer().encode(image)),
            ("large", try JPEGTransformer().encode(Picture.large.image())),
        ]
        for (name, bytes) in files { try bytes.write(to: folder.appending(path: name)) }
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [URL(filePath: #filePath).deletingLastPathComponent().path + "/../../../Peers/pillow.py"]
        process.standardInput = orders
        process.standardOutput = answers
        process.standardError = FileHandle.nullDevice
        try process.run()
        let names = files.dropFirst().map { folder.appending(path: $0.0).path }
        let pixels = "\(folder.appending(path: "pixels").path) \(picture.width) \(picture.height)"
        try orders.fileHandleForWriting.write(contentsOf: Data(([pixels] + names).joined(separator: "\n").utf8 + [10]))
        guard answer() == "ready" else { return nil }
    }

    deinit {
        try? orders.fileHandleForWriting.close()
    }

    /// A contender that has Pillow do a piece of work.
    func contender(_ work: String) -> Contender {
        Contender("Pillow", isElsewhere: true) { [self] in
            try orders.fileHandleForWriting.write(contentsOf: Data("\(work)\n".utf8))
            try Disagreement.unless(answer() == "done", "Pillow fails")
        }
    }

    /// Reads a line.
    ///
    /// A signal, such as that of another process's end, does not end it early.
    private func answer() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(answers.fileHandleForReading.fileDescriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }
}
