internal import Foundation

/// A folder of the versions of a model: an `.xcdatamodeld` or an `.momd`.
struct ModelFolder {
    let path: String
    /// The extension of the versions: `xcdatamodel` or `mom`.
    let pathExtension: String
    /// The names of the versions without their extension, sorted.
    let versions: [String]
    /// The version that the folder itself says is current, or the only one, or `nil`.
    let current: String?
    /// The version that the folder says is current, but does not contain.
    private let missing: String?

    /// Reads a folder, or returns `nil` if the path is not such a folder.
    init?(_ path: String) throws(CoreDataError) {
        switch ModelPath.pathExtension(of: path) {
        case "xcdatamodeld": pathExtension = "xcdatamodel"
        case "momd": pathExtension = "mom"
        default: return nil
        }
        self.path = path
        let suffix = ".\(pathExtension)"
        // Archivers of macOS put a file such as “._App.xcdatamodel” beside each version that has extended attributes.
        let names = try ModelPath.entries(of: path).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
        let versions = names.map { String($0.dropLast(suffix.count)) }.sorted()
        self.versions = versions
        let stated = try pathExtension == "mom" ? VersionInfo(folder: path)?.current : Self.stated(in: path)
        // The name of the file can have another normalization, because file systems of macOS are free to change it.
        let named = stated.flatMap { name in versions.first { $0 == name } }
        missing = named == nil ? stated : nil
        current = missing == nil ? named ?? (versions.count == 1 ? versions[0] : nil) : nil
    }

    /// Returns the name of the current version in `.xccurrentversion`, or `nil` if it is not stated.
    private static func stated(in path: String) throws(CoreDataError) -> String? {
        let file = "\(path)/.xccurrentversion"
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        guard let name = try VersionInfo.currentVersion(at: file) else { return nil }
        return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    }

    /// Returns the version to read: the one with the given name, or the current one.
    func version(_ name: String?) throws(CoreDataError) -> String {
        let list = versions.map { "“\($0)”" }.joined(separator: ", ")
        if let name {
            guard let version = versions.first(where: { $0 == name }) else {
                let message = "there is no version “\(name)”; the versions are \(list)"
                throw CoreDataError(.unknownVersion, message, file: path)
            }
            return version
        }
        guard !versions.isEmpty else { throw CoreDataError(.notAModel, "the folder contains no model", file: path) }
        if let missing {
            let message = "the current version “\(missing)” does not exist; choose one of \(list)"
            throw CoreDataError(.unknownVersion, message, file: path)
        }
        guard let current else {
            let message = "the model does not say which version is current; choose one of \(list)"
            throw CoreDataError(.ambiguousVersion, message, file: path)
        }
        return current
    }
}
