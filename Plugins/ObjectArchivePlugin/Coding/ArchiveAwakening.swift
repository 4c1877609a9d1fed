public import Foundation
internal import KeyedArchivePlugin

/// An object that can replace itself with another one after it is decoded.
///
/// On Apple platforms, the method belongs to `NSObject`. On other platforms, a class conforms to this protocol, and its
/// method stays the same.
public protocol ArchiveAwakening: NSObject {
    /// Returns the object to use in place of this one.
    ///
    /// - Parameter coder: The coder that the object was decoded from.
    /// - Returns: This object or another one.
    func awakeAfter(using coder: NSCoder) -> Any?
}
