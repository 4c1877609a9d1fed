import Foundation

/// Standard error: the progress of a run.
enum Console {
    static func say(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
