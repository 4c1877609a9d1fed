internal import Foundation
internal import Transformable

extension LawCheck {
    /// Whether an error is typed, says something, and keeps secrets.
    func inspect(_ error: any Error, _ subject: @autoclosure () -> String) {
        guard let typed = error as? TransformerError else {
            expect(false, .typedErrors, "\(subject()): \(describe(error)), which is no TransformerError")
            return
        }
        expect(!typed.message.isEmpty, .typedErrors, "\(subject()): the error has no message")
        expect((typed.offset ?? 0) >= 0, .typedErrors, "\(subject()): the error has a negative offset")
        guard traits.contains(.confidential) else { return }
        let text = [String(reflecting: typed), typed.description, typed.underlying.map { "\($0)" } ?? ""].joined()
        let isShown = canaries.contains { text.contains($0) }
        expect(!isShown, .confidential, "\(subject()): the error of code \(typed.code) shows a value")
    }

    private var canaries: [String] {
        (laws.values + laws.refused).flatMap { value in canariesOf(value) }
    }
}

/// Texts by which a value would be recognised in a message.
private func canariesOf(_ value: Any, depth: Int = 0) -> [String] {
    switch value {
    case let text as String:
        return excerpts(of: text)
    case let bytes as Data:
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return excerpts(of: hexadecimal) + excerpts(of: hexadecimal.uppercased())
            + (String(data: bytes, encoding: .utf8).map(excerpts) ?? []) + excerpts(of: bytes.base64EncodedString())
    case let number as any BinaryInteger:
        return excerpts(of: "\(number)")
    case let number as any BinaryFloatingPoint:
        return excerpts(of: "\(number)")
    default:
        guard depth < 8 else { return [] }
        return Mirror(reflecting: value).children.flatMap { canariesOf($0.value, depth: depth + 1) }
    }
}

/// Pieces of a text, long enough not to be met by chance; a message may quote any part.
private func excerpts(of text: String) -> [String] {
    let length = 8
    let characters = Array(text.prefix(400))
    guard characters.count > length else { return characters.count < 5 ? [] : [text] }
    return (0...(characters.count - length)).map { String(characters[$0..<($0 + length)]) }
}
