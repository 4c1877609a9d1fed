internal import ArgumentParser
internal import Foundation
public import Transformable

/// The command-line tool, with the transformers of your program: `list`, `encode`, `store show`, and so on.
///
/// A program that has its own plugins offers the same commands with them:
///
/// ```swift
/// TransformableCommand.main {
///     try TransformerRegistry {
///         GeometryPlugin()
///         AcmePlugin()
///     }
/// }
/// ```
///
/// If a plugin needs keys, import `TransformableKeyCommands` too. It adds the commands for key files, and passes the
/// keys to the closure.
public enum TransformableCommand: Sendable {
    /// The version of the command-line tool, as shown by `--version`.
    public static let version = "1.0.0"

    /// Runs the command that the process's arguments describe, and exits.
    ///
    /// - Parameter registry: A closure that creates the registry.
    public static func main(registry: @escaping @Sendable () throws -> TransformerRegistry) -> Never {
        main(keys: NoKeys.self, registry: registry)
    }

    /// Runs the command that the process's arguments describe, and exits.
    ///
    /// - Parameters:
    ///   - keys: The options that name keys.
    ///   - registry: A closure that creates the registry for operations that need no key.
    package static func main(
        keys: (some KeySource).Type,
        registry: @escaping @Sendable () throws -> TransformerRegistry
    ) -> Never {
        reserveStandardDescriptors()
        let temporaryFiles = TemporaryFiles()
        SignalWatch.start(removing: temporaryFiles, telling: STDERR_FILENO)
        let program = CommandLine.arguments.first.map { FilePath($0).name }
        var session = Session(keys, registry)
        session.temporaryFiles = temporaryFiles
        if let program { session.programName = program }
        guard let arguments = utf8Arguments() else {
            let ways = "pass such a value with --in FILE or on standard input, and rename such a file"
            session.tell(ErrorLine("an argument is not valid UTF-8; \(ways)"))
            exit(ExitStatus.usage.rawValue)
        }
        exit(run(arguments, in: session))
    }

    /// Returns the process's arguments, or nil if one of them is not valid UTF-8, which Swift would silently repair.
    private static func utf8Arguments() -> [String]? {
        // The runtime keeps the arguments, each followed by a NUL, for the lifetime of the process.
        let pointers = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let arguments = pointers.dropFirst().compactMap { $0.flatMap { String(validatingCString: $0) } }
        return arguments.count == max(0, pointers.count - 1) ? arguments : nil
    }

    /// Runs a command within the process, as tests do.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - io: The descriptors to read from and write to.
    ///   - registry: A closure that creates the registry.
    /// - Returns: The exit status.
    public static func run(
        _ arguments: [String],
        io: CommandIO = CommandIO(),
        registry: @escaping @Sendable () throws -> TransformerRegistry
    ) -> Int32 {
        run(arguments, io: io, keys: NoKeys.self, registry: registry)
    }

    /// Runs a command within the process.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - io: The descriptors to read from and write to.
    ///   - keys: The options that name keys.
    ///   - registry: A closure that creates the registry for operations that need no key.
    /// - Returns: The exit status.
    package static func run(
        _ arguments: [String],
        io: CommandIO,
        keys: (some KeySource).Type,
        registry: @escaping @Sendable () throws -> TransformerRegistry
    ) -> Int32 {
        var session = Session(keys, registry)
        session.io = io
        return run(arguments, in: session)
    }

    private static func run(_ arguments: [String], in session: Session) -> Int32 {
        Session.$current.withValue(session) {
            if let topic = HelpTopic(arguments) { return printing(topic.text, in: session) }
            var command: any ParsableCommand
            do {
                try requireSubject(ofHelp: arguments, in: session)
                try requireCommand(arguments, in: session)
                command = try session.root.parseAsRoot(negativeNumbersLast(arguments))
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

    /// Checks what `help` is asked about, because ArgumentParser answers with the general help if there is no such
    /// command.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if there is no such command or topic.
    private static func requireSubject(ofHelp arguments: [String], in session: Session) throws(CommandError) {
        guard arguments.first == "help" else { return }
        var command: any ParsableCommand.Type = session.root
        for name in arguments.dropFirst() where name != "help" && !name.hasPrefix("-") {
            let found = command.configuration.subcommands.first { $0.configuration.commandName == name }
            guard let found else {
                let subject = arguments.dropFirst().joined(separator: " ")
                throw CommandError(.usage, "there is no command or topic “\(subject)”; “help” lists all of them")
            }
            command = found
        }
    }

    /// Checks the names of a command, because ArgumentParser reports a misspelled one as an unexpected argument.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if there is no such command.
    private static func requireCommand(_ arguments: [String], in session: Session) throws(CommandError) {
        var command: any ParsableCommand.Type = session.root
        var group = ""
        for name in arguments.prefix(while: { !$0.hasPrefix("-") && $0 != "help" }) {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty else { return }
            guard let found = subcommands.first(where: { $0.configuration.commandName == name }) else {
                let nearest = nearestNames(to: name, among: subcommands.compactMap { $0.configuration.commandName })
                let names = nearest.map { "“\(group)\($0)”" }.joined(separator: " or ")
                let remedy = nearest.isEmpty ? "“help” lists all of them" : "did you mean \(names)?"
                throw CommandError(.usage, "there is no command “\(group)\(name)”; \(remedy)")
            }
            command = found
            group += "\(name) "
        }
    }

    /// Moves negative numbers behind a `--`, because ArgumentParser would take `-5` for an option.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if another argument follows the number,
    ///   because moving it would change their order.
    private static func negativeNumbersLast(_ arguments: [String]) throws(CommandError) -> [String] {
        let arguments = joiningNegativeNumbers(arguments)
        guard !arguments.contains("--") else { return arguments }
        let isNumber = { (text: String) in text.hasPrefix("-") && Double(text) != nil }
        guard let first = arguments.firstIndex(where: isNumber) else { return arguments }
        let isOrdered = zip(arguments[first...], arguments[first...].dropFirst())
            .allSatisfy { before, argument in argument.hasPrefix("-") || before.hasPrefix("--") }
        guard isOrdered else {
            let message =
                "“\(arguments[first])” looks like an option; put options first, then “--”, then the other arguments"
            throw CommandError(.usage, message)
        }
        return arguments.filter { !isNumber($0) } + ["--"] + arguments.filter(isNumber)
    }

    /// The options whose value is a number.
    private static let numericOptions: Set = [
        "--tenant", "--limit", "--offset", "--values", "--number", "--passphrase-descriptor",
    ]

    /// Joins negative numbers to the options that they follow.
    ///
    /// A tenant can be negative. For the other options, the error is then about the number.
    private static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
        let options = arguments.prefix { $0 != "--" }
        var joined: [String] = []
        for argument in options {
            let isNegative = argument.hasPrefix("-") && Int64(argument) != nil
            if isNegative, let option = joined.last, numericOptions.contains(option) {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined + arguments[options.endIndex...]
    }

    private static func report(_ error: any Error, _ session: Session) -> Int32 {
        // After an interruption has removed the unfinished files, the error that results is not worth reporting.
        session.temporaryFiles.withoutInterruption {}
        // ArgumentParser requests help in this way for a command that only groups subcommands.
        if session.root.exitCode(for: error) == .success { return report(parsing: error, session) }
        let status = ExitStatus(for: error)
        if status != .outputClosed { session.tell(ErrorLine(error)) }
        return status.rawValue
    }

    /// Reports an error that was thrown while the arguments were parsed.
    ///
    /// Help and completion scripts are results; everything else is a usage error.
    private static func report(parsing error: any Error, _ session: Session) -> Int32 {
        let message = session.root.fullMessage(for: error)
        guard session.root.exitCode(for: error) != .success else { return printing(message, in: session) }
        let hint = message.split(separator: "\n").last { $0.hasPrefix("  See ") }
        session.tell(ErrorLine(session.root.message(for: error) + (hint.map { "; s\($0.dropFirst(3))" } ?? "")))
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

    /// Prevents files that are opened later from taking the place of a closed standard descriptor.
    ///
    /// The placeholders are opened in the wrong direction, so that using them fails.
    private static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// The root command.
struct RootCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Session.current.programName,
            abstract: "Convert values to stored bytes and back with named transformers.",
            discussion: Help.lines(
                """
                An expression is a sequence of transformers separated by “|”: rect, 'jpeg(quality: 85)', \
                'text | sealed'.

                Exit status: 0 success; 1 a check found problems; 64 usage error or unknown name; 65 invalid \
                data; 66 file, entity, or object not found; 70 internal error; 73 cannot create the output; \
                74 input or output error; 75 busy; 77 key missing, refused, or wrong; 78 store and model or \
                transformer do not match, or the store is not authenticated; 129, 130, 143 interrupted; 141 the \
                program that reads the output closed it.

                “help conditions” explains how to write --where, and “help models” how to write a store's \
                model.
                """,
                examples: [
                    "list",
                    "encode rect '{{1, 2}, {3, 4}}'",
                    "inspect photo.jpg",
                ]
            ),
            version: TransformableCommand.version,
            subcommands: [
                ListCommand.self,
                ExplainCommand<Keys>.self,
                EncodeCommand<Keys>.self,
                DecodeCommand<Keys>.self,
                RoundtripCommand<Keys>.self,
                InspectCommand.self,
            ] + Keys.commands + [ModelCommand.self, StoreCommand<Keys>.self, ManualCommand.self]
        )
    }
}
