internal import Foundation
internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var baseN: [Registration] {
        Registration(
            "base16",
            summary: "bytes as hexadecimal digits",
            .writing("lowercase", "digits a to f in lower case", default: false)
        ) { lowercase in Base16Transformer(lowercase: lowercase) }
        Registration(
            "base32",
            summary: "bytes as text of A to Z and 2 to 7",
            .reading("padding", "= up to a multiple of 8 characters", default: true)
        ) { padding in Base32Transformer(padding: padding) }
        Registration(
            "base64",
            summary: "bytes as text of 64 characters",
            .reading("padding", "= up to a multiple of 4 characters", default: true)
        ) { padding in Base64Transformer(padding: padding) }
        Registration(
            "base64url",
            summary: "bytes as text that is safe in URLs and file names",
            .reading("padding", "= up to a multiple of 4 characters", default: false)
        ) { padding in Base64Transformer(alphabet: .url, padding: padding) }
        Registration("base85", summary: "bytes as text, 5 characters for 4 bytes", Base85Transformer())
    }
}
