/// An arithmetic operation and the type of its result.
///
/// It computes as Swift does. Everything that would trap in Swift is an error.
package struct Arithmetic: Sendable {
    /// An operation on two numbers.
    package enum Sign: String, Sendable {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
        case remainder = "%"
    }

    /// The type that a result must fit in.
    package enum Width: Sendable, Hashable {
        case integer(ClosedRange<Int64>)
        case float
        case double
        case decimal
    }

    package let sign: Sign
    package let width: Width

    package init(sign: Sign, width: Width) {
        self.sign = sign
        self.width = width
    }
}

extension Arithmetic.Width {
    package static let int64 = Self.integer(.min ... .max)
}
