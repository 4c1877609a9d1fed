internal import Foundation
internal import Transformable
internal import TransformableStore

extension Cell {
    /// Creates a cell for a plain value.
    init(plain value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let bytes as Data: self = .bytes(kind: FileKind(sniffing: bytes).name, count: bytes.count)
        case let date as Date: self = .text(DateText.text(of: date))
        case let number as Decimal: self = .literal(DecimalText.text(of: number))
        case let id as UUID: self = .text(id.uuidString)
        case let url as URL: self = .text(URLText.text(of: url))
        case let number as any BinaryFloatingPoint: self = Self.number(number, isFinite: number.isFinite)
        default: self = .literal("\(value)")
        }
    }

    /// Returns a number as a literal, or as text if it is infinite or not a number, which JSON cannot represent.
    private static func number(_ number: Any, isFinite: Bool) -> Self {
        isFinite ? .literal("\(number)") : .text("\(number)")
    }

    /// Creates a cell for the text form of a value.
    ///
    /// JSON keeps its structure, and numbers are literals.
    init(text bytes: Data, of value: Any) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch value {
        case is String: self = .text(text)
        case is any BinaryInteger, is any BinaryFloatingPoint, is Bool: self = Self(plain: value)
        default:
            let isStructured = ["{", "["].contains(text.first)
            self = (isStructured ? JSONText.minified(bytes) : nil).map(Self.literal) ?? .text(text)
        }
    }
}

extension CellFailure {
    /// Creates a cell for an attribute that cannot be read.
    init(_ error: any Error) {
        let error = error as? StoreError
        switch error?.code {
        case .unresolvedTransformer: self = .unknown
        case .signatureMismatch: self = .disagrees
        case .missingBlob: self = .missing
        case .damagedBlob: self = .damagedFile
        default:
            let lacksKey = error?.transformerError.map { Session.current.keyErrors.lackingKey.contains($0.code) }
            self = lacksKey == true ? .sealed : .damaged
        }
    }
}
