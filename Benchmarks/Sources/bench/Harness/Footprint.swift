import CPeers
import Foundation

/// The memory that a piece of work takes at its peak, compared with the number of bytes that it reads or writes.
struct Footprint {
    /// What is done, and on what: “read a million objects”.
    let name: String
    /// Does the work once, in a process that has done nothing else.
    let measure: () throws -> Bytes

    /// What was measured, in bytes.
    struct Bytes: Codable {
        /// All memory that the work takes at its peak, except for the values that are read or written.
        let peak: Int
        /// The size of what is read or written.
        let size: Int
    }

    init(_ name: String, measure: @escaping () throws -> Bytes) {
        self.name = name
        self.measure = measure
    }

    /// Measures in a separate process, whose memory nothing else has used.
    func run(of area: String) throws -> FootprintOutcome {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--footprint", "\(area): \(name)"]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Disagreement(description: "the process that measures “\(name)” failed")
        }
        return FootprintOutcome(
            area: area,
            scenario: name,
            bytes: try JSONDecoder().decode(Footprint.Bytes.self, from: output)
        )
    }
}

/// A footprint's figures.
struct FootprintOutcome: Codable {
    let area: String
    let scenario: String
    let bytes: Footprint.Bytes

    /// The memory in multiples of what is read or written.
    var ratio: Double { Double(bytes.peak) / Double(bytes.size) }
}

/// Reads how much memory this process has taken since a point in time.
struct MemoryGauge {
    private let start: Int

    /// Starts counting after free memory is returned to the system.
    init() throws {
        peers_trim_memory()
        // Resets the peak: Documentation/filesystems/proc.rst of Linux, `clear_refs`.
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        start = try Self.read("VmRSS")
    }

    /// The most bytes that were resident at one time.
    func peak() throws -> Int {
        try Self.read("VmHWM") - start
    }

    /// The number of bytes that are resident after free memory is returned to the system.
    func rest() throws -> Int {
        peers_trim_memory()
        return try Self.read("VmRSS") - start
    }

    private static func read(_ field: String) throws -> Int {
        let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw Disagreement(description: "/proc/self/status has no “\(field)”")
        }
        return kibibytes << 10
    }
}
