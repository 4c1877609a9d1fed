internal import Foundation

/// Names of files that must not be taken from other files.
package enum FileNames {
    /// The errors of file systems that have no links, such as those of most memory cards.
    package static let withoutLinks = [EPERM, ENOSYS, EOPNOTSUPP, EMLINK]

    /// Gives a file a name at which nothing exists yet.
    ///
    /// The file may keep its former name, which the caller removes. Where there are no links, an empty file takes the
    /// name until the file replaces it. Only a process that is killed in between leaves the empty file behind.
    ///
    /// - Parameters:
    ///   - name: The path of the new name, on the same file system.
    ///   - file: The path of the file.
    /// - Returns: Whether the file has the name. If not, `errno` is set, to `EEXIST` if the name is taken.
    package static func give(_ name: String, to file: String) -> Bool {
        // Creating a link fails if the name is taken, whereas renaming does not.
        if link(file, name) == 0 { return true }
        guard withoutLinks.contains(errno) else { return false }
        let placeholder = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard placeholder >= 0 else { return false }
        close(placeholder)
        if rename(file, name) == 0 { return true }
        let code = errno
        unlink(name)
        errno = code
        return false
    }
}
