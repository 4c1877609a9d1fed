internal import ArgumentParser
internal import EncryptionPlugin
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
        try session.makeRegistry(ring(session))
    }

    /// The paths of the files that keys and passphrases are read from.
    ///
    /// - Parameter session: The run.
    /// - Returns: The paths.
    func files(_ session: Session) -> [String] {
        [keyFile ?? session.keyFile, passphrase.file].compactMap(\.self)
    }

    /// Reads the keys themselves.
    ///
    /// - Parameter session: The run.
    /// - Returns: The keys; none if no file is named.
    /// - Throws: What the key file's reader throws.
    func ring(_ session: Session) throws -> KeyRing {
        guard let path = keyFile ?? session.keyFile else { return .empty }
        return try KeyFile(path, passphrase, session).ring
    }
}
