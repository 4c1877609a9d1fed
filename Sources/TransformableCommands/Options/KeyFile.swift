internal import EncryptionPlugin
internal import Foundation
internal import Transformable

/// A key file, to be read, or changed under the same protection.
///
/// A passphrase is tried when the ring is asked for or changed: each try costs time and memory, and a hundred programs that
/// wait for one file must not try at once.
struct KeyFile {
    let path: String
    /// The ring of a file without a passphrase.
    private let unprotected: KeyRing?
    private let passphrase: SecureBytes?
    private let session: Session

    /// Opens a key file, asking for its passphrase if somebody is there to give it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - options: Where its passphrase is read.
    ///   - session: The run.
    /// - Throws: What the key file's reader throws.
    init(_ path: String, _ options: PassphraseOptions, _ session: Session) throws {
        try self.init(path, options.source, session)
    }

    /// Opens a key file, asking for its passphrase if none is given and somebody is there to give it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - source: Where its passphrase is read; `nil` means at the terminal, if it is needed.
    ///   - session: The run.
    /// - Throws: What the key file's reader throws.
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

    /// The ring that the file has, or had when it was opened.
    var ring: KeyRing {
        get throws { try unprotected ?? KeyRing(contentsOf: URL(filePath: path), passphrase: passphrase) }
    }

    /// Changes the ring in the file, starting from what the file has by then.
    ///
    /// - Parameter change: Gives the new ring.
    /// - Returns: The ring that has been written.
    /// - Throws: What the key file's reader and the change throw, or ``CommandError/Code/cannotCreate``.
    @discardableResult
    func update(_ change: (KeyRing) throws -> KeyRing) throws -> KeyRing {
        try Self.reportingWriteFailures {
            try session.temporaryFiles.withoutInterruption {
                try KeyRing.update(at: URL(filePath: path), passphrase: passphrase, change)
            }
        }
    }

    /// Changes, sets, or removes the file's passphrase.
    ///
    /// - Parameters:
    ///   - new: The new passphrase; `nil` removes it.
    ///   - cost: What each guess at it costs; `nil` keeps the file's cost.
    /// - Throws: What the key file's reader throws, or ``CommandError/Code/cannotCreate``.
    func changePassphrase(to new: SecureBytes?, cost: PassphraseCost?) throws {
        try Self.reportingWriteFailures {
            try session.temporaryFiles.withoutInterruption {
                try KeyRing.changePassphrase(at: URL(filePath: path), from: passphrase, to: new, cost: cost)
            }
        }
    }

    /// Makes a key file that must not exist yet.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - write: Writes it.
    /// - Throws: ``CommandError/Code/cannotCreate``.
    static func create(_ path: String, _ write: (URL) throws -> Void) throws {
        if access(path, F_OK) == 0 { throw CommandError.keyFileExists(path) }
        try reportingWriteFailures {
            try Session.current.temporaryFiles.withoutInterruption { try write(URL(filePath: path)) }
        }
    }

    private static func reportingWriteFailures<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TransformerError where error.code == .unreadableKeyFile {
            throw CommandError(.cannotCreate, ErrorLine.sentence(for: error))
        }
    }

}

extension KeyRing {
    /// A key's name by the identifier of one of its generations; `nil` if the ring does not have it.
    func name(of id: KeyID) -> String? {
        names.first { name in generations(of: name).contains { $0.id == id } }
    }
}

extension CommandError {
    fileprivate static func keyFileExists(_ path: String) -> Self {
        let way = "choose another name, since nothing that its keys have sealed opens without them"
        return Self(.cannotCreate, "“\(path)” already exists; \(way)")
    }
}

extension Session {
    /// Asks for a new passphrase at the terminal, twice, since it is typed unseen.
    ///
    /// - Returns: The passphrase.
    /// - Throws: `TransformerError` with `passphrase-needed` without a terminal, or ``CommandError/Code/badInput`` if
    ///   the two differ.
    func askForNewPassphrase() throws -> SecureBytes {
        guard io.isInputTerminal || io.isMessagesTerminal else {
            throw TransformerError(.passphraseNeeded, "there is no terminal to ask for the new passphrase")
        }
        let first = try PassphraseSource.terminal(prompt: "New passphrase: ").read()
        let second = try PassphraseSource.terminal(prompt: "Again: ").read()
        guard first == second else { throw CommandError(.badInput, "the two passphrases differ") }
        return first
    }

    /// Whether a person is there to give a passphrase, and the key file can be read a second time.
    fileprivate func canAsk(about path: String) -> Bool {
        guard io.isInputTerminal || io.isMessagesTerminal else { return false }
        return SystemFile(path, O_RDONLY | O_NONBLOCK)?.status.st_mode.isRegularFile ?? false
    }
}
