internal import EncryptionPlugin
internal import Foundation
internal import Transformable
internal import TransformableCommands

/// A key file, which can be read and changed while it keeps its passphrase.
///
/// A passphrase is tried when the ring is read or changed, not before: each attempt takes time and memory, and
/// processes that wait for the same file should not all make one at the same time.
struct KeyFile {
    let path: String
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
        try self.init(path, options.source, session)
    }

    /// Opens a key file, and asks for its passphrase if none is given and the user can be asked.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - source: The source of the passphrase, or `nil` to ask for it at the terminal if it is needed.
    ///   - session: The session.
    /// - Throws: Any error thrown while the key file is read.
    init(_ path: String, _ source: PassphraseSource?, _ session: Session) throws {
        try session.requireOutput(apartFrom: [path])
        self.path = path
        self.session = session
        let given = try source?.read()
        do {
            unprotected = try KeyRing(contentsOf: URL(filePath: path))
            passphrase = given
        } catch let error as TransformerError where error.code == .passphraseNeeded {
            guard given != nil || session.canAsk(about: path) else { throw error }
            unprotected = nil
            passphrase = try given ?? PassphraseSource.terminal(prompt: "Passphrase of “\(path.onOneLine)”: ").read()
        }
    }

    /// The ring in the file at the time it was opened.
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
        try Self.reportingWriteFailures {
            try session.withoutInterruption {
                try KeyRing.update(at: URL(filePath: path), passphrase: passphrase, change)
            }
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
        try Self.reportingWriteFailures {
            try session.withoutInterruption {
                try KeyRing.changePassphrase(at: URL(filePath: path), from: passphrase, to: new, cost: cost)
            }
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
        if access(path, F_OK) == 0 { throw CommandError.keyFileExists(path) }
        try reportingWriteFailures {
            try Session.current.withoutInterruption { try write(URL(filePath: path)) }
        }
    }

    private static func reportingWriteFailures<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
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
    /// Asks for a new passphrase at the terminal, twice, because it is typed without echo.
    ///
    /// - Returns: The passphrase.
    /// - Throws: `TransformerError` with the code `passphrase-needed` if there is no terminal, or ``CommandError`` with
    ///   the code ``CommandError/Code/badInput`` if the two passphrases differ.
    func askForNewPassphrase() throws -> SecureBytes {
        guard canAsk else {
            throw TransformerError(
                .passphraseNeeded,
                "the new passphrase cannot be asked for, because there is no terminal"
            )
        }
        let first = try PassphraseSource.terminal(prompt: "New passphrase: ").read()
        let second = try PassphraseSource.terminal(prompt: "Again: ").read()
        guard first == second else { throw CommandError(.badInput, "the two passphrases differ") }
        return first
    }

    /// Whether the user can be asked for the passphrase and the key file can be read again.
    fileprivate func canAsk(about path: String) -> Bool {
        var status = stat()
        return canAsk && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
