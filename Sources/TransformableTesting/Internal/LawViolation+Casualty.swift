internal import Foundation
internal import _HostileInputs

extension LawViolation {
    /// What a child process recorded; nil if it is none of ours.
    init?(record: [UInt8]) {
        guard let violation = try? JSONDecoder().decode(Self.self, from: Data(record)) else { return nil }
        self = violation
    }

    /// This violation as a child process records it.
    var record: [UInt8] {
        (try? JSONEncoder().encode(self)).map(Array.init) ?? []
    }

    /// A step that did not come to its end.
    init(_ casualty: IsolatedRun.Casualty, _ options: LawOptions) {
        let words = casualty.message.split(separator: "\n").first.map { ": \($0)" } ?? ""
        switch casualty.cause {
        case .signal(let signal):
            self.init(.neverTraps, "\(casualty.note): the process died of signal \(signal)\(words)")
        case .exit(let status):
            self.init(.neverTraps, "\(casualty.note): ended the process with exit status \(status)\(words)")
        case .memory:
            self.init(.boundedMemory, "\(casualty.note): took more than \(options.memory) bytes\(words)")
        case .processorTime:
            self.init(.boundedTime, "\(casualty.note): kept a processor busy for \(options.processorTime)")
        case .wallTime:
            self.init(.boundedTime, "\(casualty.note): did not answer within \(options.wallTime)")
        }
    }
}
