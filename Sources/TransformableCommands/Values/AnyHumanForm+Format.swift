internal import Foundation
internal import Transformable

extension AnyHumanForm {
    /// Writes a value in the format that a person has asked for; one that it does not have is a wrong use.
    ///
    /// - Parameters:
    ///   - value: A value of the form's type.
    ///   - format: The extension of the file that it goes to.
    /// - Returns: What a person sees.
    /// - Throws: ``CommandError/Code/usage``, and what the form throws.
    func print(_ value: Any, forFormat format: String?) throws -> Data {
        do {
            return try print(value, format)
        } catch let error as TransformerError where error.code == .unsupported && format != nil {
            throw CommandError(.usage, ErrorLine.sentence(for: error))
        }
    }
}
