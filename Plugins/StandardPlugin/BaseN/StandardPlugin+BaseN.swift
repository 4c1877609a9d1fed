internal import Foundation
internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var baseN: [Registration] {
        Registration(
            "base16",
            summary: "bytes as hexadecimal digits",
            .writing("lowercase", "whether the digits a to f are lowercase", default: false),
            ignoreSpace
        ) { lowercase, space in
            SpaceIgnoringTransformer(Base16Transformer(lowercase: lowercase), ignoresSpace: space)
        }
        Registration(
            "base32",
            summary: "bytes as text of A to Z and 2 to 7",
            .reading("padding", "whether = pads to a multiple of 8 characters", default: true),
            ignoreSpace
        ) { padding, space in
            SpaceIgnoringTransformer(Base32Transformer(padding: padding), ignoresSpace: space)
        }
        Registration(
            "base64",
            summary: "bytes as text of 64 characters",
            .reading("padding", "whether = pads to a multiple of 4 characters", default: true),
            ignoreSpace
        ) { padding, space in
            SpaceIgnoringTransformer(Base64Transformer(padding: padding), ignoresSpace: space)
        }
        Registration(
            "base64url",
            summary: "bytes as text that is safe in URLs and file names",
            .reading("padding", "whether = pads to a multiple of 4 characters", default: false),
            ignoreSpace
        ) { padding, space in
            SpaceIgnoringTransformer(Base64Transformer(alphabet: .url, padding: padding), ignoresSpace: space)
        }
        base85
    }

    @RegistrationBuilder private static var base85: [Registration] {
        Registration("base85", summary: "bytes as text, 5 characters for 4 bytes", ignoreSpace) { space in
            SpaceIgnoringTransformer(Base85Transformer(), ignoresSpace: space)
        }
        Registration(
            "ascii85",
            summary: "bytes as in PostScript and PDF, 5 characters for 4 bytes",
            .reading("frame", "whether the text is enclosed in <~ and ~>", default: false),
            ignoreSpace
        ) { frame, space in
            SpaceIgnoringTransformer(Base85Transformer(.ascii85(isFramed: frame)), ignoresSpace: space)
        }
        Registration("z85", summary: "multiples of 4 bytes as text that is safe in source code", ignoreSpace) { space in
            SpaceIgnoringTransformer(Base85Transformer(.z85), ignoresSpace: space)
        }
    }

    private static var ignoreSpace: Parameter<Bool> {
        .writing("ignoreSpace", "whether white space in a text is ignored", default: false)
    }
}
