public import Foundation

extension CoreDataModel {
    /// Reads a model from a file or folder.
    ///
    /// The kind of the source is recognized by its extension and contents:
    ///
    /// - an `.xcdatamodeld` or `.momd` folder, which contains the versions of a model
    /// - an `.xcdatamodel` folder or the `contents` file in it
    /// - a compiled `.mom` file
    ///
    /// To read the copy of a model in a store, use `CoreDataModel(storeAt:)` of the module `TransformableCoreData`.
    /// Nothing is written.
    ///
    /// - Parameters:
    ///   - path: The file or folder.
    ///   - version: The name of the version to read, such as `App 3`, or `nil` for the current one. Omit the name
    ///     for a source with a single model.
    /// - Throws: ``CoreDataError`` if the source cannot be read, or if it has several versions and does not say which
    ///   one is current.
    public init(contentsOf path: String, version: String? = nil) throws(CoreDataError) {
        if let folder = try ModelFolder(path) {
            try self.init(version: folder.version(version), in: folder)
            return
        }
        guard version == nil else {
            let message = "only a folder of versions, .xcdatamodeld or .momd, has versions to choose from"
            throw CoreDataError(.unknownVersion, message, file: path)
        }
        try self.init(single: path)
    }

    private init(version: String, in folder: ModelFolder) throws(CoreDataError) {
        try self.init(single: "\(folder.path)/\(version).\(folder.pathExtension)")
        guard folder.pathExtension == "mom" else { return }
        versionHashes = try VersionInfo(folder: folder.path)?.hashes[version] ?? [:]
    }

    private init(single path: String) throws(CoreDataError) {
        let name = ModelPath.stem(of: path)
        guard try !ModelPath.isFolder(path) else {
            try self.init(folder: path, name: name)
            return
        }
        guard try !ModelPath.isDatabase(path) else {
            let remedy = "give the app's .xcdatamodeld, or read the copy in a store with “CoreDataModel(storeAt:)”"
            throw CoreDataError(.notAModel, "the file is a database, not a model; \(remedy)", file: path)
        }
        let bytes = try ModelPath.contents(of: path)
        guard !bytes.isEmpty else { throw CoreDataError(.notAModel, "the file is empty", file: path) }
        let isCompiled = bytes.starts(with: Array("bplist".utf8))
        guard isCompiled || Self.isXML(bytes) else {
            let message = "the file is not a Core Data model: it is neither XML, nor a compiled .mom, nor a store"
            throw CoreDataError(.notAModel, message, file: path)
        }
        do {
            self =
                try isCompiled
                ? CompiledModelReader.read(bytes, name: name) : XMLModelReader.read([UInt8](bytes), name: nil)
        } catch {
            throw error.with(file: path)
        }
    }

    /// Returns a Boolean value that indicates whether a file begins like XML, so that errors in it have a line and column.
    private static func isXML(_ bytes: Data) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        return text.first { !Array(" \t\r\n".utf8).contains($0) } == UInt8(ascii: "<")
    }

    private init(folder path: String, name: String) throws(CoreDataError) {
        let entries = try ModelPath.entries(of: path)
        guard !entries.contains("contents") else {
            let file = "\(path)/contents"
            do {
                self = try XMLModelReader.read([UInt8](ModelPath.contents(of: file)), name: name)
            } catch {
                throw error.with(file: file)
            }
            return
        }
        guard entries.contains("elements") else {
            throw CoreDataError(.notAModel, "the folder contains no Core Data model", file: path)
        }
        let message = """
            the model has the binary form that Xcode used before version 4; open and save it once in a newer Xcode, or \
            read the compiled .mom or a store of the app instead
            """
        throw CoreDataError(.unsupportedModel, message, file: path)
    }

    /// Reads the XML form of a model: the file `contents` of an `.xcdatamodel`.
    ///
    /// - Parameters:
    ///   - xml: The bytes of the file.
    ///   - name: The name of the version.
    /// - Throws: ``CoreDataError`` with the line and column if the bytes are not a model.
    public init(xml: Data, name: String? = nil) throws(CoreDataError) {
        self = try XMLModelReader.read([UInt8](xml), name: name)
    }

    /// Reads a compiled model: a `.mom` file.
    ///
    /// - Parameters:
    ///   - compiled: The bytes of the file.
    ///   - name: The name of the version.
    /// - Throws: ``CoreDataError`` if the bytes are not a compiled model.
    public init(compiled: Data, name: String? = nil) throws(CoreDataError) {
        self = try CompiledModelReader.read(compiled, name: name)
    }

    /// Reads the copy of a model that Core Data keeps in a store, in the table `Z_MODELCACHE`.
    ///
    /// - Parameter cache: The compressed bytes.
    /// - Throws: ``CoreDataError`` if the bytes are not a compressed model.
    public init(cache: Data) throws(CoreDataError) {
        self = try CompiledModelReader.read(Inflation.inflate(cache), name: nil)
    }
}

extension CoreDataModel {
    /// Returns the names of the versions in an `.xcdatamodeld` or `.momd` folder, sorted.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The names, and the current version if the folder states one or has a single one.
    /// - Throws: ``CoreDataError`` if the path is not such a folder.
    public static func versions(at path: String) throws(CoreDataError) -> (names: [String], current: String?) {
        guard let folder = try ModelFolder(path) else {
            throw CoreDataError(.notAModel, "only .xcdatamodeld and .momd folders have versions", file: path)
        }
        return (folder.versions, folder.current)
    }
}

extension CoreDataError {
    package func with(file: String) -> Self {
        var error = self
        error.file = error.file ?? file
        return error
    }
}
