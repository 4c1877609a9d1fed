import Foundation
import Glibc

/// A file system of a few megabytes; nil where none may be mounted.
final class SmallDisk {
    let url: URL

    init?(fileLimit: Int? = nil) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let options = "size=3m" + (fileLimit.map { ",nr_inodes=\($0)" } ?? "")
        guard getuid() == 0, mount("tmpfs", url.path, "tmpfs", 0, options) == 0 else {
            try FileManager.default.removeItem(at: url)
            return nil
        }
    }

    /// Takes all the space there is, or all but some bytes.
    func fill(leaving room: Int = 0) {
        let descriptor = open(url.appending(path: "filler").path, O_CREAT | O_WRONLY, 0o600)
        let page = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
        ftruncate(descriptor, lseek(descriptor, 0, SEEK_CUR) - room)
        close(descriptor)
    }

    func free() throws {
        try FileManager.default.removeItem(at: url.appending(path: "filler"))
    }

    /// Lets nobody write any more, root included.
    func lock() -> Bool {
        mount(nil, url.path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    deinit {
        umount2(url.path, Int32(MNT_DETACH))
        rmdir(url.path)
    }

    static let isPossible = ((try? SmallDisk()) ?? nil) != nil
}
