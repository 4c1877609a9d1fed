internal import Foundation
internal import Transformable

extension AnyHumanForm {
    /// Returns a value in the requested format.
    ///
    /// A format that the form does not support is a usage error.
    ///
    /// - Parameters:
    ///   - value: A value of the form's type.
    ///   - format: The extension of the output file.
    /// - Returns: The human-readable form.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the format is not supported, and any
    ///   error thrown by the form.
    func print(_ value: Any, forFormat format: String?) throws -> Data {
        do {
            return try print(value, format)
        } catch let error as TransformerError where error.code == .unsupported && format != nil {
            throw CommandError(.usage, ErrorLine.sentence(for: error))
        }
    }
}
