import Foundation

/// Standard error: what a run says while it goes on.
enum Console {
    static func say(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
