internal import Foundation
internal import Transformable
internal import TransformableCoreData
internal import TransformableStore

/// The exit status of a run, taken from `sysexits.h` where that defines one.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    /// A check found problems.
    case faultsFound = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case internalFault = 70
    case cannotCreate = 73
    case inputOutput = 74
    case busy = 75
    case noKey = 77
    case configuration = 78
    case interrupted = 130
    case outputClosed = 141

    /// Returns the status for an error.
    ///
    /// An unknown code of a plugin means that the data is invalid.
    init(for error: any Error) {
        switch error {
        case let error as CommandError: self = Self.ofCommands[error.code] ?? .internalFault
        case let error as TransformerError: self = Self(code: error.code)
        case let error as StoreError: self = Self(store: error)
        case let error as RowFailure: self = Self(for: error.underlying)
        case let error as CoreDataError: self = Self.ofCoreData[error.code] ?? .badData
        case is EncodingError, is DecodingError: self = .badData
        case is CancellationError: self = .interrupted
        default: self = .internalFault
        }
    }

    /// Returns the status for a transformer's error, which may be about keys.
    private init(code: TransformerError.Code) {
        self = Self.ofTransformers[code] ?? Session.current.keyErrors.statuses[code] ?? .badData
    }

    /// Returns the status for a store's error, which may wrap an error of a key ring or a transformer.
    private init(store error: StoreError) {
        let cause = error.transformerError.map { Self(for: $0) }
        self = cause == .noKey ? .noKey : Self.ofStores[error.code] ?? .badData
    }

    private static let ofCommands: [CommandError.Code: Self] = [
        .faultsFound: .faultsFound,
        .usage: .usage,
        .badInput: .badData,
        .noInput: .noInput,
        .cannotCreate: .cannotCreate,
        .inputOutput: .inputOutput,
        .outputClosed: .outputClosed,
        .keyMissing: .noKey,
        .modelRefused: .configuration,
        .busy: .busy,
    ]

    private static let ofTransformers: [TransformerError.Code: Self] = [
        .invalidExpression: .usage,
        .unknownName: .usage,
        .unknownArgument: .usage,
        .invalidArgument: .usage,
        .missingArgument: .usage,
        .stagesDoNotFit: .usage,
        .notReversible: .usage,
        .unsupportedType: .usage,
        // These codes belong to the standard plugin, which this module does not depend on.
        TransformerError.Code(rawValue: "contextual-element"): .usage,
        .duplicateName: .internalFault,
        .invalidName: .internalFault,
    ]

    private static let ofCoreData: [CoreDataError.Code: Self] = [
        .noSuchFile: .noInput,
        .cannotOpen: .noInput,
        .ambiguousVersion: .usage,
        .unknownVersion: .usage,
        .unknownName: .noInput,
        .missingModel: .configuration,
        .modelMismatch: .configuration,
        .busy: .busy,
        .inputOutput: .inputOutput,
    ]

    private static let ofStores: [StoreError.Code: Self] = [
        .noSuchFile: .noInput,
        .cannotOpen: .noInput,
        .unknownEntity: .noInput,
        .noSuchObject: .noInput,
        .unknownAttribute: .usage,
        .invalidCondition: .usage,
        .invalidStatement: .usage,
        .unsupported: .usage,
        .tenantRequired: .usage,
        .misuse: .usage,
        .fileExists: .cannotCreate,
        .cannotCreate: .cannotCreate,
        .readOnly: .cannotCreate,
        .inputOutput: .inputOutput,
        .diskFull: .inputOutput,
        .busy: .busy,
        .conflict: .busy,
        .invalidAddress: .usage,
        .connectionFailed: .inputOutput,
        .connectionLost: .inputOutput,
        .outcomeUnknown: .inputOutput,
        .transactionConflict: .busy,
        .accessDenied: .noKey,
        .canceled: .busy,
        .modelMismatch: .configuration,
        .newerModel: .configuration,
        .storeChanged: .configuration,
        .newerFormat: .configuration,
        .signatureMismatch: .configuration,
        .unauthenticatedModel: .configuration,
        .unauthenticatedRow: .configuration,
        .unresolvedTransformer: .configuration,
        .revealingProjection: .configuration,
        .statementFailed: .internalFault,
    ]
}

/// The message that reports an error: one line that any terminal can show.
struct ErrorLine: CustomStringConvertible {
    private static let limit = 1000
    let description: String

    init(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(Self.limit)
        description = "error: \(String(line).onOneLine)\(line.count == Self.limit ? "…" : "")"
    }

    init(_ error: any Error) {
        let isUnknown = (error as? TransformerError)?.code == .unknownName
        self.init(Self.sentence(for: error) + (isUnknown ? " (“list” lists all transformers)" : ""))
    }

    static func sentence(for error: any Error) -> String {
        switch error {
        case var error as TransformerError:
            let cause = error.underlying
            error.underlying = nil
            let hint = Session.current.keyErrors.hints[error.code].map { " (\($0))" } ?? ""
            return joined("\(error)", cause) + hint
        case var error as StoreError:
            let cause = error.underlying
            error.underlying = nil
            return joined("\(error)", cause)
        case let error as CoreDataError where error.code == .noSuchFile:
            // Every command says this in the same words, and why a file cannot be found.
            guard let file = error.file, access(file, F_OK) != 0 else { return cause(error) }
            return CommandError.cannotRead(file, errno).message
        case is CancellationError:
            return "interrupted"
        case let error as RowFailure:
            return "line \(error.line): \(sentence(for: error.underlying))"
        default:
            return cause(error)
        }
    }

    /// Adds the cause to a sentence that does not say it yet.
    private static func joined(_ sentence: String, _ cause: (any Error)?) -> String {
        guard let cause else { return sentence }
        let reason = self.sentence(for: cause)
        return sentence.contains(reason) ? sentence : "\(sentence): \(reason)"
    }

    /// Returns the description of another library's error, without the wrapping that Foundation adds.
    private static func cause(_ error: any Error) -> String {
        switch error {
        case let error as POSIXError: CommandError.reason(error.code.rawValue)
        case let error as CocoaError: error.underlying.map(cause) ?? error.localizedDescription
        case let error as DecodingError: "\(error)"
        case let error as any CustomNSError: (error as any Error).localizedDescription
        default: type(of: error) is NSError.Type ? (error as NSError).localizedDescription : "\(error)"
        }
    }
}
