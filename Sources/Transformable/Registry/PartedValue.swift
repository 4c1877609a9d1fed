public import Foundation

/// A value with parts that can be named: members of an object by name, and elements by index.
///
/// The command `decode --extract users.0.name` uses this protocol to find a part.
///
/// ```swift
/// let name = value.part(named: "users")?.part(named: "0")?.part(named: "name")
/// ```
public protocol PartedValue {
    /// Whether the value can have parts. This is true for an array, for example, even if it is empty.
    var hasParts: Bool { get }

    /// Returns a part.
    ///
    /// - Parameter name: The name of a member, or the index of an element in decimal digits.
    /// - Returns: The part, or nil if there is none.
    func part(named name: String) -> Self?

    /// The UTF-8 bytes of a text, or the bytes of data, or nil for any other value.
    var rawBytes: Data? { get }
}

extension PartedValue {
    /// Returns an element by its index.
    ///
    /// - Parameters:
    ///   - name: The index in decimal digits.
    ///   - elements: The elements.
    /// - Returns: The element, or nil if there is none.
    public static func element(named name: String, of elements: some Collection<Self>) -> Self? {
        guard let position = Int(name), String(position) == name, 0..<elements.count ~= position else { return nil }
        return elements[elements.index(elements.startIndex, offsetBy: position)]
    }
}
