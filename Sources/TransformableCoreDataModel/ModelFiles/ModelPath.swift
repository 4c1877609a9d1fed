package import Foundation

/// Files and folders that models are read from.
package enum ModelPath {
    /// Returns the extension of a path in lower case, without trailing slashes.
    static func pathExtension(of path: String) -> String {
        let name = lastComponent(of: path)
        guard let dot = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Returns the last component of a path without its extension.
    static func stem(of path: String) -> String {
        let name = lastComponent(of: path)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? String(name)
    }

    private static func lastComponent(of path: String) -> Substring {
        path.split(separator: "/").last ?? ""
    }

    package static func isFolder(_ path: String) throws(CoreDataError) -> Bool {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CoreDataError(.noSuchFile, "the file does not exist", file: path)
        }
        return isFolder.boolValue
    }

    /// Returns the names of the files in a folder.
    static func entries(of path: String) throws(CoreDataError) -> [String] {
        guard try isFolder(path) else { throw CoreDataError(.notAModel, "expected a folder", file: path) }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw CoreDataError(.cannotOpen, "the folder cannot be read", file: path, underlying: error)
        }
    }

    /// Returns the first bytes of a file.
    package static func start(of path: String, count: Int) throws(CoreDataError) -> Data {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CoreDataError(.cannotOpen, "the file cannot be read", file: path)
        }
        defer { try? file.close() }
        return (try? file.read(upToCount: count)) ?? Data()
    }

    /// Returns a Boolean value that indicates whether a file is a database of SQLite.
    ///
    /// A database that was not copied completely can be empty next to its log.
    package static func isDatabase(_ path: String) throws(CoreDataError) -> Bool {
        let start = try start(of: path, count: 16)
        return start == Data("SQLite format 3\0".utf8)
            || start.isEmpty && FileManager.default.fileExists(atPath: "\(path)-wal")
    }

    /// Returns the bytes of a file.
    static func contents(of path: String, limit: Int = 64 << 20) throws(CoreDataError) -> Data {
        guard try !isFolder(path) else { throw CoreDataError(.notAModel, "expected a file, not a folder", file: path) }
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: limit + 1) ?? Data()
            guard bytes.count <= limit else {
                throw CoreDataError(.limitExceeded, "the file is larger than \(limit) bytes", file: path)
            }
            return bytes
        } catch let error as CoreDataError {
            throw error
        } catch {
            throw CoreDataError(.cannotOpen, "the file cannot be read", file: path, underlying: error)
        }
    }
}
