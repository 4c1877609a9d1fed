internal import Foundation

/// What tells one file from another, whatever path leads to it.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// The name in the folder that the numbers stand for, of a file that is not there yet.
    private var name = ""

    /// Finds the file or folder that a path leads to; nil for a device, and where there is no folder for it.
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

    /// Finds the regular file that a descriptor is open on; nil if it is a terminal, a pipe or a device.
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
    /// Refuses an output that is one of the files that the command reads, so that none is overwritten.
    ///
    /// - Parameters:
    ///   - output: Where the result goes.
    ///   - inputs: The paths of the files that are read; of a folder, all of its files.
    ///   - readsInput: Whether standard input is read, too.
    /// - Throws: ``CommandError/Code/usage``.
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
}

extension Session {
    /// Refuses standard output if it is appended to one of the files that the command reads or changes.
    ///
    /// - Parameter files: The paths of the files.
    /// - Throws: ``CommandError/Code/usage``.
    func requireOutput(apartFrom files: [String]) throws(CommandError) {
        guard let output = FileIdentity(descriptor: io.output) else { return }
        for file in files where FileIdentity(path: file) == output {
            throw CommandError(.usage, "“\(file)” is used by this command and cannot be its output, too")
        }
    }

    /// Refuses an output that the value, or the keys, are read from.
    ///
    /// - Parameters:
    ///   - output: Where the result goes.
    ///   - source: Where the value comes from.
    ///   - keys: Where the keys come from.
    /// - Throws: ``CommandError/Code/usage``.
    func requireSeparate(
        _ output: OutputOptions,
        from source: InputSource,
        _ keys: KeyOptions
    ) throws(CommandError) {
        var inputs = keys.files(self)
        if case .file(let path) = source { inputs.append(path) }
        try requireSeparate(output, from: inputs, readsInput: source.isStream)
    }
}

extension CommandError {
    fileprivate static func sameFile(_ path: String) -> Self {
        Self(.usage, "“\(path)” is read by this command and cannot be its output; choose another file for --out")
    }
}
