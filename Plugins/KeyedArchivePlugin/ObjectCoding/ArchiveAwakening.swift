public import Foundation

/// An object that may put another one in its place once it has been read.
///
/// On a Mac the method is one of `NSObject`; where Foundation does not have it, a class conforms to this
/// protocol, and its method stays as it is.
public protocol ArchiveAwakening: NSObject {
    /// Gives the object that is used in this one's place.
    ///
    /// - Parameter coder: The coder that the object was read from.
    /// - Returns: This object or another one.
    func awakeAfter(using coder: NSCoder) -> Any?
}
