internal import Foundation

/// The type that a resolved expression must end in.
public enum ExpressionEnding: Sendable, Hashable {
    /// `Data`, as required for an attribute. Text is converted to UTF-8.
    case data
    /// `Int64`, `Double`, `String`, or `Data`, as required for a projection or a listing.
    case column
    /// Any type.
    case anything
}

extension ExpressionEnding {
    func admits(_ type: Any.Type) -> Bool {
        switch self {
        case .data: type == Data.self
        case .column: [Int64.self, Double.self, String.self, Data.self].contains { $0 == type }
        case .anything: true
        }
    }

    var summary: String {
        switch self {
        case .data: "Data"
        case .column: "Int64, Double, String, or Data"
        case .anything: "any type"
        }
    }
}
