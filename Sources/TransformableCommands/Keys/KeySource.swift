package import ArgumentParser
package import Transformable

/// The options that name a command's keys.
///
/// This module reads no keys, so that a program whose plugins need none links no cryptography. A module that reads keys
/// conforms a type to this protocol, and passes it to `TransformableCommand.main(keys:registry:)`. Each command that
/// uses transformers then accepts its options.
package protocol KeySource: ParsableArguments {
    /// The commands for keys, which the program offers along with its own.
    static var commands: [any ParsableCommand.Type] { get }

    /// How errors about keys are reported.
    static var errors: KeyErrors { get }

    /// The files that keys are read from. A command's output cannot be one of them.
    var files: [String] { get }

    /// Reads the keys, and creates the registry with them.
    ///
    /// - Parameter session: The session.
    /// - Returns: The registry.
    /// - Throws: Any error thrown while the keys are read or the registry is created.
    func open(_ session: Session) throws -> KeyedRegistry
}

extension KeySource {
    /// Reads the keys, and returns the registry that is created with them.
    func registry(_ session: Session) throws -> TransformerRegistry {
        try open(session).registry
    }
}

/// A registry that was created with keys.
package struct KeyedRegistry {
    /// The transformers.
    package let registry: TransformerRegistry
    /// Returns a sentence for each key that no value in a store uses.
    package let unusedKeys: (any StoredValueSource) throws -> [String]

    package init(
        _ registry: TransformerRegistry,
        unusedKeys: @escaping (any StoredValueSource) throws -> [String] = { _ in [] }
    ) {
        self.registry = registry
        self.unusedKeys = unusedKeys
    }
}

/// How errors about keys are reported, by their codes.
package struct KeyErrors: Sendable {
    /// The exit statuses.
    package var statuses: [TransformerError.Code: ExitStatus] = [:]
    /// What the user can do, which is added to messages.
    package var hints: [TransformerError.Code: String] = [:]
    /// The errors of values whose key is not available.
    package var lackingKey: Set<TransformerError.Code> = []

    package init() {}
}

/// The keys of a program without any.
struct NoKeys: KeySource {
    static var commands: [any ParsableCommand.Type] { [] }
    static var errors: KeyErrors { KeyErrors() }
    var files: [String] { [] }

    func open(_ session: Session) throws -> KeyedRegistry {
        try KeyedRegistry(session.keylessRegistry)
    }
}
