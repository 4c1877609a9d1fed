public import EncryptionPlugin
internal import Foundation
public import Transformable
public import TransformableCommands

extension TransformableCommand {
    /// Runs the command that the process's arguments describe, with keys from a key file, and exits.
    ///
    /// ```swift
    /// TransformableCommand.main { keys in
    ///     try TransformerRegistry {
    ///         EncryptionPlugin(keys: keys)
    ///         AcmePlugin()
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter registry: A closure that creates the registry from the keys in the file named by `--key-file` or by
    ///   the environment variable `TRANSFORMABLE_KEY_FILE`. The key ring is empty if neither names a file.
    public static func main(registry: @escaping @Sendable (KeyRing) throws -> TransformerRegistry) -> Never {
        KeyEnvironment.$current.withValue(KeyEnvironment(ProcessInfo.processInfo.environment, registry)) {
            main(keys: KeyFileOptions.self) { try registry(.empty) }
        }
    }

    /// Runs a command within the process, with keys from a key file, as tests and programs with commands of their own do.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - io: The descriptors to read from and write to.
    ///   - environment: The environment variables, or `nil` for those of the process. Only `TRANSFORMABLE_KEY_FILE` is
    ///     used.
    ///   - registry: A closure that creates the registry from the given keys.
    /// - Returns: The exit status.
    public static func run(
        _ arguments: [String],
        io: CommandIO = CommandIO(),
        environment: [String: String]? = nil,
        registry: @escaping @Sendable (KeyRing) throws -> TransformerRegistry
    ) -> Int32 {
        let environment = environment ?? ProcessInfo.processInfo.environment
        return KeyEnvironment.$current.withValue(KeyEnvironment(environment, registry)) {
            run(arguments, io: io, keys: KeyFileOptions.self) { try registry(.empty) }
        }
    }
}

/// What the commands of one run read keys with: the key file that the environment names, and the function that creates
/// the registry.
///
/// ArgumentParser creates the commands, so they find it in ``current``.
struct KeyEnvironment: Sendable {
    @TaskLocal static var current = Self([:]) { _ in try TransformerRegistry {} }

    let keyFile: String?
    let makeRegistry: @Sendable (KeyRing) throws -> TransformerRegistry

    init(
        _ environment: [String: String],
        _ makeRegistry: @escaping @Sendable (KeyRing) throws -> TransformerRegistry
    ) {
        keyFile = environment["TRANSFORMABLE_KEY_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        self.makeRegistry = makeRegistry
    }
}
