internal import Foundation

/// The folder of an export, which is read.
struct ExportFolder {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Reads a file of the export, or returns `nil` if there is none.
    func read(_ name: String) throws(StoreError) -> Data? {
        let path = "\(path)/\(name)"
        guard let descriptor = try FileSystem.openToRead(path) else { return nil }
        let count = FileSystem.length(of: descriptor)
        guard count <= 1 << 26 else {
            throw StoreError(.limitExceeded, "“\(path)” is too large")
        }
        return try FileReader(descriptor, path: path).readAll(count: Int(count))
    }

    /// Opens a file of lines, or returns `nil` if there is none.
    func lines(of name: String) throws(StoreError) -> LineReader? {
        try LineReader(name, in: path)
    }

    /// Opens the file that an object names for a value, or returns `nil` if the text does not name it.
    ///
    /// No other file is opened.
    func file(
        _ text: String,
        of attribute: StoredAttribute,
        _ object: ManagedObject
    ) throws(StoreError) -> FileDescriptor? {
        let name = "\(object.entity.name)/\(object.number).\(attribute.name)"
        var members = JSONMembers(ArraySlice(text.utf8))
        guard let (key, value) = try? members.next(), key == "file", value == name else { return nil }
        guard let file = try FileSystem.openToRead("\(path)/\(name)"), !FileSystem.isLink(path, object.entity.name)
        else {
            let message = "the export has no file “\(name)”; \(ExportManifest.remedy)"
            throw StoreError(.noSuchFile, message, attribute: attribute.name)
        }
        return file
    }

    /// Reads the file of a value as a whole.
    func contents(of file: FileDescriptor, _ attribute: StoredAttribute) throws(StoreError) -> Data {
        let count = FileSystem.length(of: file)
        guard count <= ValueStream.wholeCount else {
            throw StoreError(.limitExceeded, "the file exceeds a gigabyte", attribute: attribute.name)
        }
        return try FileReader(file, path: attribute.name).readAll(count: Int(count))
    }
}
