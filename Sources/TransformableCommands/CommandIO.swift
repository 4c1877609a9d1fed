internal import Foundation

/// The file descriptors that commands read from and write to.
public struct CommandIO: Sendable {
    /// The descriptor to read values from when neither an argument nor a file provides them.
    public var input: Int32
    /// The descriptor to write results to.
    public var output: Int32
    /// The descriptor to write messages to.
    public var messages: Int32
    /// Whether the input is a terminal.
    public var isInputTerminal: Bool
    /// Whether the output is a terminal, which must not receive binary data.
    public var isOutputTerminal: Bool
    /// Whether messages go to a terminal, so that long operations can show progress.
    public var isMessagesTerminal: Bool

    /// Creates a set of descriptors.
    ///
    /// The caller keeps them open.
    ///
    /// - Parameters:
    ///   - input: The descriptor to read values from when neither an argument nor a file provides them.
    ///   - output: The descriptor to write results to.
    ///   - messages: The descriptor to write messages to.
    public init(input: Int32 = 0, output: Int32 = 1, messages: Int32 = 2) {
        self.input = input
        self.output = output
        self.messages = messages
        isInputTerminal = isatty(input) == 1
        isOutputTerminal = isatty(output) == 1
        isMessagesTerminal = isatty(messages) == 1
    }
}
