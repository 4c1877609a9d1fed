internal import Foundation
internal import Transformable

/// Shows the progress of a long operation on one line of the terminal, which is removed at the end.
struct Progress {
    private static let delay = Duration.seconds(1)
    private let session: Session
    private let isShown: Bool
    private var next = ContinuousClock.now + delay
    private var hasLine = false

    /// Starts showing progress.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - besideResult: Whether the result is printed only at the end, so that the line cannot interfere with it.
    init(_ session: Session, besideResult: Bool = false) {
        self.session = session
        isShown = session.io.isMessagesTerminal && (besideResult || !session.io.isOutputTerminal)
    }

    /// Shows how many objects are done, at most once a second.
    mutating func show(_ count: Int) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + Self.delay
        hasLine = true
        write("\r\(count.counted("object"))")
    }

    /// Removes the line.
    mutating func end() {
        guard hasLine else { return }
        hasLine = false
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        // The operation continues even if its progress cannot be shown.
        try? writeAll(Data(text.utf8), to: session.io.messages, name: "standard error")
    }
}
