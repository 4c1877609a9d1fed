internal import ArgumentParser
public import EncryptionPlugin
internal import Foundation
public import Transformable

/// The command line over a program's transformers: `list`, `encode`, `store show` and the rest.
///
/// A program with plugins of its own has the same commands over them:
///
/// ```swift
/// TransformableCommand.main { keys in
///     try TransformerRegistry {
///         EncryptionPlugin(keys: keys)
///         AcmePlugin()
///     }
/// }
/// ```
public enum TransformableCommand: Sendable {
    /// The version of the command line, which `--version` shows.
    public static let version = "1.0.0"

    /// Runs the process's arguments, and ends the process.
    ///
    /// - Parameter registry: Makes the registry with the keys of the file that `--key-file` or the variable
    ///   `TRANSFORMABLE_KEY_FILE` names; with none if there is no such file.
    public static func main(registry: @escaping @Sendable (KeyRing) throws -> TransformerRegistry) -> Never {
        reserveStandardDescriptors()
        let temporaryFiles = TemporaryFiles()
        SignalWatch.start(removing: temporaryFiles, telling: STDERR_FILENO)
        let program = CommandLine.arguments.first.map { FilePath($0).name }
        let session = Session(
            programName: program ?? "transformable",
            temporaryFiles: temporaryFiles,
            keyFile: keyFile(in: ProcessInfo.processInfo.environment),
            makeRegistry: registry
        )
        guard let arguments = utf8Arguments() else {
            session.tell(ErrorLine("an argument is not UTF-8; give such a value with --in FILE or on standard input"))
            exit(ExitStatus.usage.rawValue)
        }
        exit(run(arguments, in: session))
    }

    /// The process's arguments; nil if one of them is not UTF-8, which Swift would silently repair.
    private static func utf8Arguments() -> [String]? {
        // The runtime keeps the arguments, each with its NUL, as long as the process lives.
        let pointers = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let arguments = pointers.dropFirst().compactMap { $0.flatMap { String(validatingCString: $0) } }
        return arguments.count == max(0, pointers.count - 1) ? arguments : nil
    }

    /// Runs arguments within a process, as tests do.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - io: Where to read and write.
    ///   - environment: The variables, of which `TRANSFORMABLE_KEY_FILE` is looked up.
    ///   - registry: Makes the registry with the keys that were given.
    /// - Returns: The exit status.
    public static func run(
        _ arguments: [String],
        io: CommandIO = CommandIO(),
        environment: [String: String] = [:],
        registry: @escaping @Sendable (KeyRing) throws -> TransformerRegistry
    ) -> Int32 {
        run(arguments, in: Session(io: io, keyFile: keyFile(in: environment), makeRegistry: registry))
    }

    private static func keyFile(in environment: [String: String]) -> String? {
        environment["TRANSFORMABLE_KEY_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    static func run(_ arguments: [String], in session: Session) -> Int32 {
        Session.$current.withValue(session) {
            if let topic = HelpTopic(arguments) { return printing(topic.text, in: session) }
            var command: any ParsableCommand
            do {
                command = try RootCommand.parseAsRoot(negativeNumbersLast(arguments))
            } catch let error as CommandError {
                return report(error, session)
            } catch {
                return report(parsing: error, session)
            }
            do {
                try command.run()
                return ExitStatus.success.rawValue
            } catch {
                return report(error, session)
            }
        }
    }

    /// Moves negative numbers behind a `--`, since ArgumentParser takes `-5` for an option.
    ///
    /// - Throws: ``CommandError/Code/usage`` for one that another argument follows, which would change places with it.
    private static func negativeNumbersLast(_ arguments: [String]) throws(CommandError) -> [String] {
        guard !arguments.contains("--") else { return arguments }
        let isNumber = { (text: String) in text.hasPrefix("-") && Double(text) != nil }
        guard let first = arguments.firstIndex(where: isNumber) else { return arguments }
        let isOrdered = zip(arguments[first...], arguments[first...].dropFirst())
            .allSatisfy { before, argument in argument.hasPrefix("-") || before.hasPrefix("--") }
        guard isOrdered else {
            let message = "“\(arguments[first])” reads as an option here; give options first, then “--”, then the rest"
            throw CommandError(.usage, message)
        }
        return arguments.filter { !isNumber($0) } + ["--"] + arguments.filter(isNumber)
    }

    private static func report(_ error: any Error, _ session: Session) -> Int32 {
        // Where an interruption has taken away what the command was making, that it failed is no news.
        session.temporaryFiles.withoutInterruption {}
        // A subcommand's group has no work of its own and asks for its help this way.
        if RootCommand.exitCode(for: error) == .success { return report(parsing: error, session) }
        let status = ExitStatus(for: error)
        if status != .outputClosed { session.tell(ErrorLine(error)) }
        return status.rawValue
    }

    /// Help and completion scripts are results; anything else is a wrong use of the command line.
    private static func report(parsing error: any Error, _ session: Session) -> Int32 {
        let message = RootCommand.fullMessage(for: error)
        guard RootCommand.exitCode(for: error) != .success else { return printing(message, in: session) }
        let hint = message.split(separator: "\n").last { $0.hasPrefix("  See ") }
        session.tell(ErrorLine(RootCommand.message(for: error) + (hint.map { "; s\($0.dropFirst(3))" } ?? "")))
        return ExitStatus.usage.rawValue
    }

    private static func printing(_ text: String, in session: Session) -> Int32 {
        do {
            try session.print(text)
            return ExitStatus.success.rawValue
        } catch {
            return report(error, session)
        }
    }

    /// Keeps files that are opened later from taking the place of a closed standard descriptor.
    ///
    /// The stand-ins are opened the wrong way round, so that using them fails as it should.
    private static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
