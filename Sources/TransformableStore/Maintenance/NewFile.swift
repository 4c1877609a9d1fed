internal import Foundation

/// A file or folder that is to be made where nothing is yet.
enum NewFile {
    /// Checks that it can be.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/fileExists`` or ``StoreError/Code/cannotCreate``.
    static func check(_ path: String) throws(StoreError) {
        guard !FileSystem.exists(path) else {
            throw StoreError(.fileExists, "“\(path)” is there already; remove it or give another name")
        }
        let folder = (path as NSString).deletingLastPathComponent
        guard FileSystem.exists("\(folder)/.") else {
            throw StoreError(.cannotCreate, "“\(path)” cannot be made: there is no folder “\(folder)”")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw StoreError(.cannotCreate, "“\(path)” cannot be made: the folder “\(folder)” cannot be written")
        }
    }
}
