internal import ArgumentParser
internal import EncryptionPlugin
internal import Transformable

/// The keys that a command uses.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key file. By default, the file that the environment variable TRANSFORMABLE_KEY_FILE names.",
            valueName: "file"
        ),
        completion: .file()
    )
    var keyFile: String?

    @OptionGroup var passphrase: PassphraseOptions

    /// Creates the registry with these keys.
    ///
    /// - Parameter session: The session.
    /// - Returns: The transformers.
    /// - Throws: Any error thrown while the key file is read or the registry is created.
    func registry(_ session: Session) throws -> TransformerRegistry {
        try session.makeRegistry(ring(session))
    }

    /// Returns the paths of the files that keys and passphrases are read from.
    ///
    /// - Parameter session: The session.
    /// - Returns: The paths.
    func files(_ session: Session) -> [String] {
        [keyFile ?? session.keyFile, passphrase.file].compactMap(\.self)
    }

    /// Reads the keys.
    ///
    /// - Parameter session: The session.
    /// - Returns: The keys, or an empty ring if no file is given.
    /// - Throws: Any error thrown while the key file is read.
    func ring(_ session: Session) throws -> KeyRing {
        guard let path = keyFile ?? session.keyFile else { return .empty }
        return try KeyFile(path, passphrase, session).ring
    }
}
