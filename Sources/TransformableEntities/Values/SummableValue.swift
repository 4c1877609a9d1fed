public import Foundation
public import TransformableStore

/// A number that a store adds up: what ``EntityAggregate/sum(_:)`` and ``EntityAggregate/average(_:)`` take.
///
/// All plain numbers conform, and optionals of them, whose nil values are left out.
public protocol SummableValue: SendableMetatype {
    /// What values add up to.
    associatedtype Sum: PlainValue
    /// The type of their mean.
    associatedtype Average: PlainValue
}

extension Int: SummableValue {
    /// What values add up to.
    public typealias Sum = Int
    /// The type of their mean.
    public typealias Average = Double
}

extension Int8: SummableValue {
    /// What values add up to.
    public typealias Sum = Int
    /// The type of their mean.
    public typealias Average = Double
}

extension Int16: SummableValue {
    /// What values add up to.
    public typealias Sum = Int
    /// The type of their mean.
    public typealias Average = Double
}

extension Int32: SummableValue {
    /// What values add up to.
    public typealias Sum = Int
    /// The type of their mean.
    public typealias Average = Double
}

extension Int64: SummableValue {
    /// What values add up to.
    public typealias Sum = Int
    /// The type of their mean.
    public typealias Average = Double
}

extension UInt: SummableValue {
    /// What values add up to.
    public typealias Sum = UInt
    /// The type of their mean.
    public typealias Average = Double
}

extension UInt8: SummableValue {
    /// What values add up to.
    public typealias Sum = UInt
    /// The type of their mean.
    public typealias Average = Double
}

extension UInt16: SummableValue {
    /// What values add up to.
    public typealias Sum = UInt
    /// The type of their mean.
    public typealias Average = Double
}

extension UInt32: SummableValue {
    /// What values add up to.
    public typealias Sum = UInt
    /// The type of their mean.
    public typealias Average = Double
}

extension UInt64: SummableValue {
    /// What values add up to.
    public typealias Sum = UInt
    /// The type of their mean.
    public typealias Average = Double
}

extension Float: SummableValue {
    /// What values add up to.
    public typealias Sum = Double
    /// The type of their mean.
    public typealias Average = Double
}

extension Double: SummableValue {
    /// What values add up to.
    public typealias Sum = Double
    /// The type of their mean.
    public typealias Average = Double
}

extension Decimal: SummableValue {
    /// What values add up to.
    public typealias Sum = Decimal
    /// The type of their mean.
    public typealias Average = Decimal
}

extension Optional: SummableValue where Wrapped: SummableValue {
    /// What values add up to.
    public typealias Sum = Wrapped.Sum
    /// The type of their mean.
    public typealias Average = Wrapped.Average
}
