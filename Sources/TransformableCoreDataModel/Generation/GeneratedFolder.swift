public import Foundation

/// A folder with generated files.
public struct GeneratedFolder: Sendable {
    /// How a folder differs from what would be generated.
    public struct Difference: Sendable, Hashable, CustomStringConvertible {
        /// The kind of a difference.
        public enum Kind: String, Sendable, Hashable {
            /// The file does not exist.
            case missing
            /// The file has different content.
            case changed
            /// The file was generated from the model, which no longer has such an entity.
            case orphaned
        }

        /// The file's name.
        public let file: String
        /// The kind of the difference.
        public let kind: Kind

        /// The kind and the file's name.
        public var description: String { "\(kind.rawValue): \(file)" }
    }

    private let url: URL

    /// Creates a folder.
    ///
    /// - Parameter url: The folder, which does not have to exist yet.
    public init(at url: URL) {
        self.url = url
    }

    /// Returns how the folder differs from generated code, sorted by the names of files.
    ///
    /// - Parameter code: The code.
    /// - Returns: The differences.
    /// - Throws: ``CoreDataError`` with the code ``CoreDataError/Code/cannotOpen`` if a file cannot be read.
    public func differences(from code: ModelCode) throws(CoreDataError) -> [Difference] {
        var differences: [Difference] = []
        for file in code.files {
            let path = url.appending(path: file.name)
            guard let text = try content(of: path) else {
                differences.append(Difference(file: file.name, kind: .missing))
                continue
            }
            if text != Data(file.text.utf8) { differences.append(Difference(file: file.name, kind: .changed)) }
        }
        differences += try orphans(of: code).map { Difference(file: $0, kind: .orphaned) }
        return differences.sorted { $0.file < $1.file }
    }

    /// Returns the names of files that were generated from a model but are no longer part of its code.
    ///
    /// - Parameter code: The code of the model as it is now.
    /// - Returns: The names, sorted.
    /// - Throws: ``CoreDataError`` with the code ``CoreDataError/Code/cannotOpen`` if a file cannot be read.
    public func orphans(of code: ModelCode) throws(CoreDataError) -> [String] {
        let known = Set(code.files.map(\.name))
        let mark = Data("\(CodeHeader.mark(code.name))\n".utf8)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        var orphans: [String] = []
        for name in names.sorted() where name.hasSuffix(ModelCode.fileSuffix) && !known.contains(name) {
            if try content(of: url.appending(path: name))?.starts(with: mark) == true { orphans.append(name) }
        }
        return orphans
    }

    private func content(of file: URL) throws(CoreDataError) -> Data? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw CoreDataError(.cannotOpen, "the file cannot be read", file: file.path, underlying: error)
        }
    }
}

/// A file of Swift code that was generated from a model.
public struct GeneratedFile: Sendable, Hashable {
    /// The file's name, such as `Patient.generated.swift`.
    public var name: String
    /// The code.
    public var text: String

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - text: The code.
    public init(_ name: String, text: String) {
        self.name = name
        self.text = text
    }
}
