internal import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var compression: [Registration] {
        registration("deflate", .deflate, "bytes compressed with DEFLATE, without a header")
        registration("zlib", .zlib, "bytes compressed in the zlib format")
        registration("gzip", .gzip, "bytes compressed as a gzip file")
    }

    private static func registration(
        _ name: TransformerName,
        _ format: CompressionFormat,
        _ summary: String
    ) -> Registration {
        Registration(
            name,
            summary: summary,
            .writing("level", "from 0 (none) to 9 (smallest)", default: CompressionTransformer.defaultLevel, in: 0...9),
            .writing(
                "limit",
                "the maximum decompressed size in bytes",
                default: CompressionTransformer.defaultLimit,
                in: 0...Int.max
            )
        ) { level, limit in CompressionTransformer(format, level: level, limit: limit) }
    }
}
