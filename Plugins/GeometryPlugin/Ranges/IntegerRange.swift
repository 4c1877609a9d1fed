public import Foundation
internal import Transformable

/// A range of whole numbers, as where it starts and how long it is.
///
/// `NSRange` and `Range<Int>` are such ranges. What is written and read has a length of at least zero,
/// and an end that fits 64 bits.
public protocol IntegerRange: Sendable {
    /// Where the range starts, and how many numbers it has; nil where that does not fit 64 bits.
    var locationAndLength: (location: Int, length: Int)? { get }

    /// Makes a range.
    ///
    /// - Parameters:
    ///   - location: Where it starts.
    ///   - length: How many numbers it has, at least zero; the sum of both fits 64 bits.
    init(location: Int, length: Int)
}

extension NSRange: IntegerRange {
    /// The range's own parts.
    public var locationAndLength: (location: Int, length: Int)? { (location, length) }
}

extension Range<Int>: IntegerRange {
    /// The lower bound, and the distance of the upper one.
    public var locationAndLength: (location: Int, length: Int)? {
        let (length, overflows) = upperBound.subtractingReportingOverflow(lowerBound)
        return overflows ? nil : (lowerBound, length)
    }

    /// Makes a range of its lower bound and its length.
    public init(location: Int, length: Int) {
        self = location..<(location + length)
    }
}

extension IntegerRange {
    /// Location and length, once they are seen to make a range.
    func validParts() throws(TransformerError) -> (location: Int, length: Int) {
        guard let (location, length) = locationAndLength else {
            throw .invalidValue("the length of the range does not fit 64 bits")
        }
        if let reason = rangeFault(location: location, length: length) {
            throw .invalidValue(reason)
        }
        return (location, length)
    }
}

/// Why two numbers are no range; nil if they are one.
func rangeFault(location: Int, length: Int) -> String? {
    if length < 0 {
        "the length of a range is not negative"
    } else if location.addingReportingOverflow(length).overflow {
        "the end of the range does not fit 64 bits"
    } else {
        nil
    }
}
