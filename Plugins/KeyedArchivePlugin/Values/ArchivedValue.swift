public import Foundation

/// A value in a keyed archive, which corresponds to one of Apple's value classes.
///
/// This is the value type of `keyed-archive` if no Swift type is specified. Like archives, it distinguishes Booleans,
/// integers, and real numbers, which are never equal to one another. Strings are equal if their bytes are equal, and
/// real numbers if their bits are equal. Therefore, equal values have equal archives.
///
/// ```swift
/// let settings: ArchivedValue = ["name": "Ada", "sizes": [1, 2.5], "isOpen": true]
/// let name = settings["name"]?.string
/// ```
public enum ArchivedValue: Sendable {
    /// `NSNull`, or the null object at the beginning of an archive.
    case null
    /// An `NSNumber` that contains a Boolean.
    case boolean(Bool)
    /// An `NSNumber` that contains an integer.
    case integer(Int128)
    /// An `NSNumber` that contains a floating-point number.
    case real(Double)
    /// An `NSString`.
    case string(String)
    /// An `NSData`.
    case data(Data)
    /// An `NSDate`.
    case date(Date)
    /// An `NSUUID`.
    case uuid(UUID)
    /// An `NSURL`, including its base.
    indirect case url(ArchivedURL)
    /// An `NSDecimalNumber`.
    indirect case decimal(Decimal)
    /// An `NSArray`.
    case array(ArchivedArray)
    /// An `NSDictionary`, with keys of any kind.
    case dictionary(ArchivedDictionary)
    /// An `NSSet`.
    case set(ArchivedSet)
    /// An `NSCountedSet`.
    indirect case countedSet(ArchivedCountedSet)
    /// An `NSOrderedSet`.
    case orderedSet(ArchivedArray)
    /// An `NSValue` that contains a point.
    case point(CGPoint)
    /// An `NSValue` that contains a size.
    case size(CGSize)
    /// An `NSValue` that contains a rectangle.
    indirect case rect(CGRect)
    /// An `NSValue` that contains a range.
    case range(NSRange)
    /// An `NSValue` that contains edge insets.
    indirect case edgeInsets(ArchivedEdgeInsets)
    /// An `NSValue` that contains a `CGAffineTransform`.
    indirect case transform(AffineTransform)
    /// An `NSValue` that contains a `UIOffset`.
    case offset(ArchivedOffset)
    /// An `NSValue` that contains `NSDirectionalEdgeInsets`.
    indirect case directionalEdgeInsets(ArchivedDirectionalEdgeInsets)
    /// An `NSAffineTransform`, which has numbers of 32 bits.
    indirect case affineTransform(ArchivedAffineTransform)
    /// An `NSIndexSet`.
    case indexSet(ArchivedIndexSet)
    /// An `NSIndexPath`.
    case indexPath(ArchivedIndexPath)
    /// An `NSLocale`.
    case locale(ArchivedLocale)
    /// An `NSTimeZone`.
    indirect case timeZone(ArchivedTimeZone)
    /// An `NSCalendar`.
    indirect case calendar(ArchivedCalendar)
    /// An `NSDateComponents`, including its calendar and time zone.
    indirect case dateComponents(ArchivedDateComponents)
    /// An `NSAttributedString`.
    indirect case attributedString(ArchivedAttributedString)
    /// An `NSError`.
    indirect case error(ArchivedError)
    /// An `NSNotification`.
    indirect case notification(ArchivedNotification)
    /// An `NSColor` or a `UIColor`.
    indirect case color(ArchivedColor)
    /// An object of any other class, or of a known class in an unknown form, with its fields.
    indirect case object(ArchivedInstance)
}
