internal import Foundation

/// Where the commands read and write: three open file descriptors.
public struct CommandIO: Sendable {
    /// Where values are read if no argument and no file gives them.
    public var input: Int32
    /// Where results go.
    public var output: Int32
    /// Where messages go.
    public var messages: Int32
    /// Whether a person types at the input.
    public var isInputTerminal: Bool
    /// Whether a person reads the output, so that it must not be binary.
    public var isOutputTerminal: Bool
    /// Whether a person watches the messages, so that long work shows how far it is.
    public var isMessagesTerminal: Bool

    /// Uses descriptors that the caller keeps open.
    ///
    /// - Parameters:
    ///   - input: Where values are read if no argument and no file gives them.
    ///   - output: Where results go.
    ///   - messages: Where messages go.
    public init(input: Int32 = 0, output: Int32 = 1, messages: Int32 = 2) {
        self.input = input
        self.output = output
        self.messages = messages
        isInputTerminal = isatty(input) == 1
        isOutputTerminal = isatty(output) == 1
        isMessagesTerminal = isatty(messages) == 1
    }
}
