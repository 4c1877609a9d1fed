public import Foundation

/// A value that comes out of a keyed archive or goes into one: what Apple's value classes hold.
///
/// This is what `keyed-archive` gives where no Swift type is known. Numbers keep apart what archives
/// keep apart: a boolean, an integer and a real number are never equal. Strings are equal if their bytes
/// are, and real numbers if their bits are: equal values have equal archives.
///
/// ```swift
/// let settings: ArchivedValue = ["name": "Ada", "sizes": [1, 2.5], "isOpen": true]
/// let name = settings["name"]?.string
/// ```
public enum ArchivedValue: Sendable {
    /// `NSNull`, and the nil that archives keep as their first object.
    case null
    /// `NSNumber` of a boolean.
    case boolean(Bool)
    /// `NSNumber` of an integer.
    case integer(Int128)
    /// `NSNumber` of a floating-point number.
    case real(Double)
    /// `NSString`.
    case string(String)
    /// `NSData`.
    case data(Data)
    /// `NSDate`.
    case date(Date)
    /// `NSUUID`.
    case uuid(UUID)
    /// `NSURL`, with its base.
    indirect case url(ArchivedURL)
    /// `NSDecimalNumber`.
    indirect case decimal(Decimal)
    /// `NSArray`.
    case array(ArchivedArray)
    /// `NSDictionary`, with keys of any kind.
    case dictionary(ArchivedDictionary)
    /// `NSSet`.
    case set(ArchivedSet)
    /// `NSCountedSet`.
    indirect case countedSet(ArchivedCountedSet)
    /// `NSOrderedSet`.
    case orderedSet(ArchivedArray)
    /// `NSValue` of a point.
    case point(CGPoint)
    /// `NSValue` of a size.
    case size(CGSize)
    /// `NSValue` of a rectangle.
    indirect case rect(CGRect)
    /// `NSValue` of a range.
    case range(NSRange)
    /// `NSValue` of edge insets.
    indirect case edgeInsets(ArchivedEdgeInsets)
    /// `NSValue` of a `CGAffineTransform`.
    indirect case transform(AffineTransform)
    /// `NSValue` of a `UIOffset`.
    case offset(ArchivedOffset)
    /// `NSValue` of `NSDirectionalEdgeInsets`.
    indirect case directionalEdgeInsets(ArchivedDirectionalEdgeInsets)
    /// `NSAffineTransform`, in numbers of 32 bits.
    indirect case affineTransform(ArchivedAffineTransform)
    /// `NSIndexSet`.
    case indexSet(ArchivedIndexSet)
    /// `NSIndexPath`.
    case indexPath(ArchivedIndexPath)
    /// `NSLocale`.
    case locale(ArchivedLocale)
    /// `NSTimeZone`.
    indirect case timeZone(ArchivedTimeZone)
    /// `NSCalendar`.
    indirect case calendar(ArchivedCalendar)
    /// `NSDateComponents`, with their calendar and time zone.
    indirect case dateComponents(ArchivedDateComponents)
    /// `NSAttributedString`.
    indirect case attributedString(ArchivedAttributedString)
    /// `NSError`.
    indirect case error(ArchivedError)
    /// `NSNotification`.
    indirect case notification(ArchivedNotification)
    /// `NSColor` or `UIColor`.
    indirect case color(ArchivedColor)
    /// An object of any other class, with its fields, or of a known one in a form that is not known.
    indirect case object(ArchivedInstance)
}
