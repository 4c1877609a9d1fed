import Foundation
import Testing

/// The greatest amount of memory that this process has used.
enum PeakMemory {
    /// The number of bytes that the process has had in memory at most since it began to run this program.
    ///
    /// `getrusage` also counts what its parent had in memory when it started the process, which hides what a test in
    /// a process of its own needs.
    static var bytes: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.output.1) }) << 10
        }
    }
}
