internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import Transformable

/// Which keys there are.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key file; without it, the one that the variable TRANSFORMABLE_KEY_FILE names.",
            valueName: "file"
        ),
        completion: .file()
    )
    var keyFile: String?

    @OptionGroup var passphrase: PassphraseOptions

    /// Makes the registry with these keys.
    ///
    /// - Parameter session: The run.
    /// - Returns: The transformers.
    /// - Throws: What the key file's reader and the registry's maker throw.
    func registry(_ session: Session) throws -> TransformerRegistry {
        try session.makeRegistry(keys(session))
    }

    private func keys(_ session: Session) throws -> KeyRing {
        guard let path = keyFile ?? session.keyFile else { return .empty }
        let url = URL(filePath: path)
        if let source = passphrase.source { return try KeyRing(contentsOf: url, passphrase: source.read()) }
        do {
            return try KeyRing(contentsOf: url)
        } catch let error as TransformerError where error.code == .passphraseNeeded && session.canAsk(about: path) {
            let source = PassphraseSource.terminal(prompt: "Passphrase of “\(path.onOneLine)”: ")
            return try KeyRing(contentsOf: url, passphrase: source.read())
        }
    }
}

extension Session {
    /// Whether a person is there to give a passphrase, and the key file can be read a second time.
    fileprivate func canAsk(about path: String) -> Bool {
        guard io.isInputTerminal || io.isMessagesTerminal else { return false }
        return SystemFile(path, O_RDONLY | O_NONBLOCK)?.status.st_mode.isRegularFile ?? false
    }
}
