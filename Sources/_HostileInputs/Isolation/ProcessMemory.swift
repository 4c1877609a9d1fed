internal import Foundation

/// What the kernel says of this process's memory.
enum ProcessMemory {
    /// The bytes that `RLIMIT_DATA` counts: private, writable memory (proc(5), `VmData`).
    static var data: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmData:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
