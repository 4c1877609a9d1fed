public import Foundation

/// A number that can be used with ``EntityAggregate/sum(_:)`` and ``EntityAggregate/average(_:)``.
///
/// All plain number types and their optionals conform. Nil values are ignored.
public protocol SummableValue: SendableMetatype {
    /// The type of the sum.
    associatedtype Sum: PlainValue
    /// The type of the average.
    associatedtype Average: PlainValue
}

extension Int: SummableValue {
    /// The type of the sum.
    public typealias Sum = Int
    /// The type of the average.
    public typealias Average = Double
}

extension Int8: SummableValue {
    /// The type of the sum.
    public typealias Sum = Int
    /// The type of the average.
    public typealias Average = Double
}

extension Int16: SummableValue {
    /// The type of the sum.
    public typealias Sum = Int
    /// The type of the average.
    public typealias Average = Double
}

extension Int32: SummableValue {
    /// The type of the sum.
    public typealias Sum = Int
    /// The type of the average.
    public typealias Average = Double
}

extension Int64: SummableValue {
    /// The type of the sum.
    public typealias Sum = Int
    /// The type of the average.
    public typealias Average = Double
}

extension UInt: SummableValue {
    /// The type of the sum.
    public typealias Sum = UInt
    /// The type of the average.
    public typealias Average = Double
}

extension UInt8: SummableValue {
    /// The type of the sum.
    public typealias Sum = UInt
    /// The type of the average.
    public typealias Average = Double
}

extension UInt16: SummableValue {
    /// The type of the sum.
    public typealias Sum = UInt
    /// The type of the average.
    public typealias Average = Double
}

extension UInt32: SummableValue {
    /// The type of the sum.
    public typealias Sum = UInt
    /// The type of the average.
    public typealias Average = Double
}

extension UInt64: SummableValue {
    /// The type of the sum.
    public typealias Sum = UInt
    /// The type of the average.
    public typealias Average = Double
}

extension Float: SummableValue {
    /// The type of the sum.
    public typealias Sum = Double
    /// The type of the average.
    public typealias Average = Double
}

extension Double: SummableValue {
    /// The type of the sum.
    public typealias Sum = Double
    /// The type of the average.
    public typealias Average = Double
}

extension Decimal: SummableValue {
    /// The type of the sum.
    public typealias Sum = Decimal
    /// The type of the average.
    public typealias Average = Decimal
}

extension Optional: SummableValue where Wrapped: SummableValue {
    /// The type of the sum.
    public typealias Sum = Wrapped.Sum
    /// The type of the average.
    public typealias Average = Wrapped.Average
}
