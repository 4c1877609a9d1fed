internal import EncryptionPlugin
internal import Foundation
internal import Transformable

/// A key file that has been read, to be written again under the same protection.
struct KeyFile {
    let path: String
    let ring: KeyRing
    private let passphrase: SecureBytes?

    /// Reads a key file, asking for its passphrase where a person is there to give it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - options: Where a passphrase is read.
    ///   - session: The run.
    /// - Throws: What the key file's reader throws.
    init(_ path: String, _ options: PassphraseOptions, _ session: Session) throws {
        self.path = path
        let url = URL(filePath: path)
        if let source = options.source {
            let passphrase = try source.read()
            ring = try KeyRing(contentsOf: url, passphrase: passphrase)
            self.passphrase = passphrase
            return
        }
        do {
            ring = try KeyRing(contentsOf: url)
            passphrase = nil
        } catch let error as TransformerError where error.code == .passphraseNeeded && session.canAsk(about: path) {
            let source = PassphraseSource.terminal(prompt: "Passphrase of “\(path.onOneLine)”: ")
            let passphrase = try source.read()
            ring = try KeyRing(contentsOf: url, passphrase: passphrase)
            self.passphrase = passphrase
        }
    }

    /// Puts another ring in the file's place, whole or not at all.
    ///
    /// - Parameter ring: The ring.
    /// - Throws: ``CommandError/Code/cannotCreate``.
    func replace(with ring: KeyRing) throws {
        let url = URL(filePath: path)
        do {
            if let passphrase {
                try ring.write(to: url, passphrase: passphrase, replacing: true)
            } else {
                try ring.write(to: url, replacing: true)
            }
        } catch let error as TransformerError where error.code == .unreadableKeyFile {
            throw CommandError(.cannotCreate, ErrorLine.sentence(for: error))
        }
    }

    /// A key's name by the identifier of one of its generations.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: The name, and the generation; nil if the ring has it not.
    func generation(_ id: KeyID) -> (name: String, generation: KeyRing.Generation)? {
        for name in ring.names {
            for generation in ring.generations(of: name) where generation.id == id { return (name, generation) }
        }
        return nil
    }
}

extension Session {
    /// Whether a person is there to give a passphrase, and the key file can be read a second time.
    fileprivate func canAsk(about path: String) -> Bool {
        guard io.isInputTerminal || io.isMessagesTerminal else { return false }
        return SystemFile(path, O_RDONLY | O_NONBLOCK)?.status.st_mode.isRegularFile ?? false
    }
}
