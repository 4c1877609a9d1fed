internal import Foundation
internal import _HostileInputs

/// A law that all transformers must obey, or that follows from a trait.
public enum TransformerLaw: String, Sendable, CaseIterable, Codable {
    /// There are values to check, and each is equal to itself.
    case samples
    /// Decoding an encoded value gives an equal value.
    ///
    /// A lossy transformer may lose information in the first round trip, but no more in a second one: decoding,
    /// encoding, and decoding again gives the same value as the first decoding.
    case roundTrip = "round trip"
    /// A value gives the same encoded form every time.
    case deterministic
    /// Equal values give the same encoded form, however they were created.
    case canonical
    /// Encoded forms are in the order of their values.
    case ordered
    /// The encoded form depends on the context if and only if the transformer is contextual.
    case contextual
    /// Damaged forms cannot be decoded.
    case authenticated
    /// Errors do not reveal values.
    case confidential
    /// `isUnchanged` is true for a value's own encoded form, and false for that of a different value.
    case unchanged
    /// The candidates of a value include its encoded form.
    case candidates
    /// A `KeyIdentifyingTransformer` accepts its current key, and rejects unknown ones.
    case keys
    /// Every error is a `TransformerError` with a useful message.
    case typedErrors = "typed errors"
    /// A value that is decoded from a damaged form can be encoded and decoded again.
    case encodesAgain = "encodes again"
    /// Values that must be refused and encoded forms that must be rejected cause an error.
    case refusal
    /// A value that is too large to be decoded again is not encoded.
    case limits
    /// Bytes are encoded and decoded in the same way in any kind of buffer: a slice of `Data`, a `Span`, or a copy.
    case slices
    /// Streams encode and decode the same values as calls for whole values, however their input is divided.
    case streams
    /// Concurrent threads get the same results as a single thread.
    case threads
    /// No call ends the process.
    case neverTraps = "never traps"
    /// Every call finishes in a reasonable time.
    case boundedTime = "bounded time"
    /// No call uses a disproportionate amount of memory.
    case boundedMemory = "bounded memory"
}

/// A violation of a transformer law.
public struct LawViolation: Sendable, Hashable, Codable {
    /// The law.
    public let law: TransformerLaw
    /// The value or input that reveals the violation, and what happened, in one or more sentences.
    public let message: String

    init(_ law: TransformerLaw, _ message: String) {
        self.law = law
        self.message = message
    }
}

extension LawViolation: CustomStringConvertible {
    /// The law and the message.
    public var description: String {
        "\(law.rawValue): \(message)"
    }
}

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
