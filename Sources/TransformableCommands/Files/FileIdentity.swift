internal import Foundation

/// A file's identity, which is the same for every path that leads to the file.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// The name within the folder, for a file that does not exist yet.
    private var name = ""

    /// Returns nil for a device, or if the folder does not exist.
    init?(path: String) {
        if let status = Self.status({ stat(path, &$0) }) {
            guard status.st_mode.isRegularFile || status.st_mode.isDirectory else { return nil }
            self.init(status)
        } else {
            guard let folder = Self.status({ stat(FilePath(path).folder, &$0) }) else { return nil }
            self.init(folder)
            name = FilePath(path).name
        }
    }

    /// Returns nil if the descriptor is open on a terminal, a pipe, or a device.
    init?(descriptor: Int32) {
        guard let status = Self.status({ fstat(descriptor, &$0) }), status.st_mode.isRegularFile else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    private static func status(_ call: (inout stat) -> Int32) -> stat? {
        var status = stat()
        return call(&status) == 0 ? status : nil
    }
}

extension Session {
    /// Ensures that the output does not overwrite any of the files that the command reads.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - inputs: The paths of the input files. A folder stands for all of its files.
    ///   - readsInput: Whether the command also reads standard input.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the output is also an input.
    func requireSeparate(
        _ output: OutputOptions,
        from inputs: [String],
        readsInput: Bool = false
    ) throws(CommandError) {
        let target = output.path.map { FileIdentity(path: $0) } ?? FileIdentity(descriptor: io.output)
        guard let target else { return }
        let folder = output.path.flatMap { FileIdentity(path: FilePath($0).folder) }
        let refused = [target, folder].compactMap(\.self)
        for input in inputs where FileIdentity(path: input).map(refused.contains) == true {
            throw .sameFile(output.path ?? input)
        }
        if readsInput, FileIdentity(descriptor: io.input) == target { throw .sameFile(output.path ?? "standard input") }
    }

    /// Ensures that standard output is not redirected to a file that the command reads or changes.
    ///
    /// - Parameter files: The paths of the files.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if it is.
    package func requireOutput(apartFrom files: [String]) throws(CommandError) {
        guard let output = FileIdentity(descriptor: io.output) else { return }
        for file in files where FileIdentity(path: file) == output {
            throw CommandError(.usage, "“\(file)” is used by this command and cannot also be its output")
        }
    }

    /// Ensures that the output is neither the input nor a file that keys are read from.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - source: The source of the value.
    ///   - keys: The options that name the key files.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if it is.
    func requireSeparate(
        _ output: OutputOptions,
        from source: InputSource,
        _ keys: some KeySource
    ) throws(CommandError) {
        var inputs = keys.files
        if case .file(let path) = source { inputs.append(path) }
        try requireSeparate(output, from: inputs, readsInput: source.isStream)
    }
}

extension StoreArgument {
    /// Ensures that a file or folder to be created is neither the store nor in its folder of blobs.
    ///
    /// - Parameter result: The path of the file or folder.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if it is, or if the address is invalid.
    func requireOutside(_ result: String) throws(CommandError) {
        // Without a trailing slash or dots, the part before the last slash is the folder.
        let path = URL(filePath: result).standardizedFileURL.path
        let places = [path, FilePath(path).folder].compactMap { FileIdentity(path: $0) }
        guard try !address.files.contains(where: { FileIdentity(path: $0).map(places.contains) == true }) else {
            throw CommandError(.usage, "“\(result)” belongs to the store “\(store)”; choose another name")
        }
    }
}

extension CommandError {
    fileprivate static func sameFile(_ path: String) -> Self {
        Self(.usage, "“\(path)” is read by this command and cannot also be its output; choose another file for --out")
    }
}

/// The components of a path, split as text.
///
/// Foundation's `deletingLastPathComponent` traps on Linux if the path is a single character.
struct FilePath {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The part after the last `/`.
    var name: String {
        String(text.suffix(from: nameStart))
    }

    /// The folder that contains the file, or `.` if the path has no folder.
    var folder: String {
        guard nameStart > text.startIndex else { return "." }
        let folder = text[..<text.utf8.index(before: nameStart)]
        return folder.isEmpty ? "/" : String(folder)
    }

    /// The lowercased part of the name after the last dot, or nil if there is none.
    var fileExtension: String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let letters = name.suffix(from: name.index(after: dot))
        return letters.isEmpty ? nil : letters.lowercased()
    }

    /// Whether the path leads to a folder.
    var isFolder: Bool {
        var status = stat()
        return stat(text, &status) == 0 && status.st_mode.isDirectory
    }

    /// Returns the path of another file in the same folder.
    ///
    /// - Parameter name: The other file's name.
    /// - Returns: The path.
    func sibling(_ name: String) -> String {
        "\(text[..<nameStart])\(name)"
    }

    private var nameStart: String.Index {
        // A combining mark after the slash belongs to the name.
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map(text.utf8.index(after:)) ?? text.startIndex
    }
}
