public import Foundation
internal import Transformable

/// A range of integers, given by its start and its length.
///
/// `NSRange` and `Range<Int>` conform to this protocol. The length must not be negative, and the end must fit in 64
/// bits.
public protocol IntegerRange: Sendable {
    /// The start and the length of the range, or nil if they do not fit in 64 bits.
    var locationAndLength: (location: Int, length: Int)? { get }

    /// Creates a range.
    ///
    /// - Parameters:
    ///   - location: The start of the range.
    ///   - length: The number of elements, which is not negative. The sum of both fits in 64 bits.
    init(location: Int, length: Int)
}

extension NSRange: IntegerRange {
    /// The location and the length of the range.
    public var locationAndLength: (location: Int, length: Int)? { (location, length) }
}

extension Range<Int>: IntegerRange {
    /// The lower bound, and the distance to the upper bound.
    public var locationAndLength: (location: Int, length: Int)? {
        let (length, overflows) = upperBound.subtractingReportingOverflow(lowerBound)
        return overflows ? nil : (lowerBound, length)
    }

    /// Creates a range from its lower bound and its length.
    public init(location: Int, length: Int) {
        self = location..<(location + length)
    }
}

extension IntegerRange {
    /// Returns the location and the length if they form a valid range.
    func validParts() throws(TransformerError) -> (location: Int, length: Int) {
        guard let (location, length) = locationAndLength else {
            throw .invalidValue("the length of the range does not fit in 64 bits")
        }
        if let reason = rangeFault(location: location, length: length) {
            throw .invalidValue(reason)
        }
        return (location, length)
    }
}

/// Returns the reason why two numbers do not form a range, or nil if they do.
func rangeFault(location: Int, length: Int) -> String? {
    if length < 0 {
        "the length of a range must not be negative"
    } else if location.addingReportingOverflow(length).overflow {
        "the end of the range does not fit in 64 bits"
    } else {
        nil
    }
}
