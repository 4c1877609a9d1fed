internal import Glibc
internal import Synchronization
internal import TransformableStore

/// Removes folders when the process exits, if their owners live until then, such as a store in a global variable.
///
/// If a signal ends the process, the next process removes them.
final class ExitWatch: WorkingFolderWatch {
    static let shared = ExitWatch()

    /// The folders, with the processes that created them: a forked process must not remove the folders of its parent.
    private let folders = Mutex<[String: pid_t]>([:])

    private init() {
        _ = atexit { ExitWatch.shared.removeFolders() }
    }

    func insert(_ path: String, _ make: () -> Bool) -> Bool {
        folders.withLock { folders in
            guard make() else { return false }
            folders[path] = getpid()
            return true
        }
    }

    func forget(_ path: String) {
        folders.withLock { _ = $0.removeValue(forKey: path) }
    }

    func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result {
        try body()
    }

    private func removeFolders() {
        let own = folders.withLock { folders in folders.filter { $0.value == getpid() }.keys }
        for path in own { WorkingFolder.remove(path) }
    }
}
