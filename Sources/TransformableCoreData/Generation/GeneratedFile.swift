/// A file of Swift code that was generated from a model.
public struct GeneratedFile: Sendable, Hashable {
    /// The file's name, such as `Patient.generated.swift`.
    public var name: String
    /// The code.
    public var text: String

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - text: The code.
    public init(_ name: String, text: String) {
        self.name = name
        self.text = text
    }
}
