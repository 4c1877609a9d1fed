public import Foundation

/// A value with parts that a person can name: members of an object by their names, elements by their positions.
///
/// The command line's `decode --extract users.0.name` reaches into values of such a type.
///
/// ```swift
/// let name = value.part(named: "users")?.part(named: "0")?.part(named: "name")
/// ```
public protocol PartedValue {
    /// Whether the value is one that can have parts, such as an array, though it may be empty.
    var hasParts: Bool { get }

    /// Finds a part.
    ///
    /// - Parameter name: A member's name, or an element's position from 0 in decimal digits.
    /// - Returns: The part; nil if there is none.
    func part(named name: String) -> Self?

    /// What the value is without any notation: the UTF-8 of a text, or bytes; nil for any other.
    var rawBytes: Data? { get }
}

extension PartedValue {
    /// Finds an element by its position.
    ///
    /// - Parameters:
    ///   - name: The position from 0, in decimal digits.
    ///   - elements: The elements.
    /// - Returns: The element; nil if there is none.
    public static func element(named name: String, of elements: some Collection<Self>) -> Self? {
        guard let position = Int(name), String(position) == name, 0..<elements.count ~= position else { return nil }
        return elements[elements.index(elements.startIndex, offsetBy: position)]
    }
}
