internal import Foundation

/// The memory of this process, according to the kernel.
enum ProcessMemory {
    /// The number of bytes that `RLIMIT_DATA` counts, which are private and writable (proc(5), `VmData`).
    static var data: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmData:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
