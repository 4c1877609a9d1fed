internal import EncryptionPlugin
internal import Foundation
internal import Transformable
internal import TransformableCommands

/// A key file, which can be read and changed while it keeps its passphrase.
///
/// A passphrase is tried when the ring is read or changed, not before: each attempt takes time and memory, and
/// processes that wait for the same file should not all make one at the same time.
struct KeyFile {
    private let path: String
    /// The ring of a file that has no passphrase.
    private let unprotected: KeyRing?
    private let passphrase: SecureBytes?
    private let session: Session

    /// Opens a key file, and asks for its passphrase if the user can be asked.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - options: The source of the passphrase.
    ///   - session: The session.
    /// - Throws: Any error thrown while the key file is read.
    init(_ path: String, _ options: PassphraseOptions, _ session: Session) throws {
        try self.init(path, options.source, orReadFrom: "--passphrase-file", session)
    }

    /// Opens a key file, and asks for its passphrase if none is given and the user can be asked.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - source: The source of the passphrase, or `nil` to ask for it at the terminal if it is needed.
    ///   - option: The option that names a file with the passphrase.
    ///   - session: The session.
    /// - Throws: Any error thrown while the key file is read.
    init(_ path: String, _ source: PassphraseSource?, orReadFrom option: String, _ session: Session) throws {
        try session.requireOutput(apartFrom: [path])
        self.path = path
        self.session = session
        let given = try source?.read()
        // A pipe can be read only once, so it is not read before its keys are needed.
        if given != nil, Self.type(of: path) == S_IFIFO {
            (unprotected, passphrase) = (nil, given)
            return
        }
        do {
            let ring = try KeyRing(contentsOf: URL(filePath: path))
            // With a passphrase, reading the ring of this file throws an error.
            unprotected = given == nil ? ring : nil
            passphrase = given
        } catch let error as TransformerError where error.code == .passphraseNeeded {
            // Without a passphrase, what was read from a pipe is lost while the user is asked.
            guard given != nil || session.canAsk && Self.type(of: path) == S_IFREG else {
                throw CommandError(.keyMissing, "\(error) (run the command at a terminal, or use \(option))")
            }
            unprotected = nil
            passphrase = try given ?? session.ask("Passphrase of “\(path.onOneLine)”: ")
        }
    }

    /// Returns the type of a file as in `st_mode`, or `nil` if it cannot be determined.
    private static func type(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Whether the file had a passphrase when it was opened.
    var isProtected: Bool { unprotected == nil }

    /// The ring in the file.
    ///
    /// A ring without a passphrase is the one at the time the file was opened.
    var ring: KeyRing {
        get throws { try unprotected ?? KeyRing(contentsOf: URL(filePath: path), passphrase: passphrase) }
    }

    /// Changes the ring in the file, starting from its current contents.
    ///
    /// - Parameter change: A closure that returns the new ring.
    /// - Returns: The new ring.
    /// - Throws: Any error thrown while the key file is read, any error thrown by `change`, or ``CommandError`` with
    ///   the code ``CommandError/Code/cannotCreate`` if the file cannot be written.
    @discardableResult
    func update(_ change: (KeyRing) throws -> KeyRing) throws -> KeyRing {
        try Self.reportingWriteFailures(session) {
            try KeyRing.update(at: URL(filePath: path), passphrase: passphrase, change)
        }
    }

    /// Changes, sets, or removes the file's passphrase.
    ///
    /// - Parameters:
    ///   - new: The new passphrase, or `nil` to remove the passphrase.
    ///   - cost: The cost of each guess, or `nil` to keep the file's cost.
    /// - Throws: Any error thrown while the key file is read, or ``CommandError`` with the code
    ///   ``CommandError/Code/cannotCreate`` if the file cannot be written.
    func changePassphrase(to new: SecureBytes?, cost: PassphraseCost?) throws {
        try Self.reportingWriteFailures(session) {
            try KeyRing.changePassphrase(at: URL(filePath: path), from: passphrase, to: new, cost: cost)
        }
    }

    /// Creates a key file, which must not exist yet.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - write: A closure that writes the file.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/cannotCreate`` if the file exists or cannot be
    ///   created.
    static func create(_ path: String, _ write: (URL) throws -> Void) throws {
        var status = stat()
        // A symbolic link is there even if it leads nowhere.
        if lstat(path, &status) == 0 { throw CommandError.keyFileExists(path) }
        try reportingWriteFailures(.current) { try write(URL(filePath: path)) }
    }

    /// Writes a key file, so that a signal ends the process before or after the file is written, but not meanwhile.
    private static func reportingWriteFailures<Result>(
        _ session: Session,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            let writing = KeyFileWriting { write in try session.withoutInterruption(write) }
            return try KeyFileWriting.$current.withValue(writing, operation: body)
        } catch let error as TransformerError where error.code == .unreadableKeyFile {
            throw CommandError(.cannotCreate, because: error)
        }
    }
}

extension KeyRing {
    /// Returns the name of the key that has a generation with this identifier, or `nil` if the ring has none.
    func name(of id: KeyID) -> String? {
        names.first { name in generations(of: name).contains { $0.id == id } }
    }
}

extension CommandError {
    fileprivate static func keyFileExists(_ path: String) -> Self {
        let way = "choose another name, because values sealed with its keys cannot be opened without them"
        return Self(.cannotCreate, "“\(path)” already exists; \(way)")
    }
}

extension Session {
    /// Prints a note if stores need keys that a key file does not have.
    func tell(ofKeysMissingIn ring: KeyRing, _ usage: KeyUsage) {
        let missing = usage.keys.filter { ring.name(of: $0) == nil }.map(\.description).sorted()
        guard !missing.isEmpty else { return }
        let keys = (missing.count == 1 ? "the key " : "the keys ") + missing.joined(separator: ", ")
        tell("note: the stores need \(keys), which this key file does not have; check that it is the right one")
    }

    /// Asks for a passphrase at the terminal, whose settings are restored even if the process is interrupted.
    fileprivate func ask(_ prompt: String) throws -> SecureBytes {
        try whileAsking { try PassphraseSource.terminal(prompt: prompt).read() }
    }

    /// Asks for a new passphrase at the terminal, twice, because it is typed without echo.
    ///
    /// - Parameter option: The option that names a file with the new passphrase.
    /// - Returns: The passphrase.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/keyMissing`` if there is no terminal, or
    ///   ``CommandError/Code/badInput`` if the two passphrases differ.
    func askForNewPassphrase(orReadFrom option: String) throws -> SecureBytes {
        guard canAsk else {
            throw CommandError(
                .keyMissing,
                "the new passphrase cannot be asked for, because there is no terminal; use \(option)"
            )
        }
        let first = try ask("New passphrase: ")
        let second = try ask("Again: ")
        guard first == second else { throw CommandError(.badInput, "the two passphrases differ") }
        return first
    }
}
