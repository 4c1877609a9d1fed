internal import Foundation
internal import _HostileInputs

extension LawViolation {
    /// Decodes the record of a child process, or returns nil if it is not a violation.
    init?(record: [UInt8]) {
        guard let violation = try? JSONDecoder().decode(Self.self, from: Data(record)) else { return nil }
        self = violation
    }

    /// The violation as recorded by a child process.
    var record: [UInt8] {
        (try? JSONEncoder().encode(self)).map(Array.init) ?? []
    }

    /// Creates the violation for a step that did not finish.
    init(_ casualty: IsolatedRun.Casualty, _ options: LawOptions) {
        let words = casualty.message.split(separator: "\n").first.map { ": \($0)" } ?? ""
        switch casualty.cause {
        case .signal(let signal):
            self.init(.neverTraps, "\(casualty.note): the process was killed by signal \(signal)\(words)")
        case .exit(let status):
            self.init(.neverTraps, "\(casualty.note): the process exited with status \(status)\(words)")
        case .memory:
            self.init(.boundedMemory, "\(casualty.note): used more than \(options.memory) bytes of memory\(words)")
        case .processorTime:
            self.init(.boundedTime, "\(casualty.note): used more than \(options.processorTime) of processor time")
        case .wallTime:
            self.init(.boundedTime, "\(casualty.note): did not finish within \(options.wallTime)")
        }
    }
}
