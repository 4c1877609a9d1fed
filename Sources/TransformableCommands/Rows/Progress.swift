internal import Foundation
internal import Transformable

/// Shows on a terminal how far long work is, on one line that goes when it ends.
struct Progress {
    private static let delay = Duration.seconds(1)
    private let session: Session
    private let isShown: Bool
    private var next = ContinuousClock.now + delay
    private var hasLine = false

    /// Begins the work.
    ///
    /// - Parameters:
    ///   - session: The run.
    ///   - besideResult: Whether the result comes at the end only, so that the line is never in its way.
    init(_ session: Session, besideResult: Bool = false) {
        self.session = session
        isShown = session.io.isMessagesTerminal && (besideResult || !session.io.isOutputTerminal)
    }

    /// Says how many objects are done, once a second.
    mutating func show(_ count: Int) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + Self.delay
        hasLine = true
        write("\r\(count.counted("object"))")
    }

    /// Takes the line away.
    mutating func end() {
        guard hasLine else { return }
        hasLine = false
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        // The work goes on where nobody can watch it.
        try? writeAll(Data(text.utf8), to: session.io.messages, name: "standard error")
    }
}
