import CPeers
import Foundation

/// PNG by plain C on libpng, at the level of our standard options.
enum PNGPeer {
    private static let level: Int32 = 6

    static func write(_ picture: Picture) -> PeerBytes {
        PeerBytes { count in
            picture.pixels.withUnsafeBytes { pixels in
                pixels.baseAddress.flatMap {
                    peers_write_png($0, UInt32(picture.width), UInt32(picture.height), level, &count)
                }
            }
        }
    }

    static func read(_ file: Data) -> PeerBytes {
        PeerBytes { count in
            file.withUnsafeBytes { file in file.baseAddress.flatMap { peers_read_png($0, file.count, &count) } }
        }
    }
}

/// WebP by plain C on libwebp.
enum WebPPeer {
    static func write(_ picture: Picture, quality: Int) -> PeerBytes {
        PeerBytes { count in
            picture.pixels.withUnsafeBytes { pixels in
                pixels.baseAddress.flatMap {
                    peers_write_webp($0, UInt32(picture.width), UInt32(picture.height), Int32(quality), &count)
                }
            }
        }
    }

    static func read(_ file: Data) -> PeerBytes {
        PeerBytes { count in
            file.withUnsafeBytes { file in file.baseAddress.flatMap { peers_read_webp($0, file.count, &count) } }
        }
    }
}

/// JPEG by plain C on libjpeg.
enum JPEGPeer {
    static func write(_ picture: Picture, quality: Int) -> PeerBytes {
        PeerBytes { count in
            picture.pixels.withUnsafeBytes { pixels in
                pixels.baseAddress.flatMap {
                    peers_write_jpeg($0, UInt32(picture.width), UInt32(picture.height), Int32(quality), &count)
                }
            }
        }
    }

    static func read(_ file: Data) -> PeerBytes {
        PeerBytes { count in
            file.withUnsafeBytes { file in file.baseAddress.flatMap { peers_read_jpeg($0, file.count, &count) } }
        }
    }

    static func width(_ file: Data) -> Int {
        file.withUnsafeBytes { file in file.baseAddress.map { Int(peers_jpeg_width($0, file.count)) } ?? 0 }
    }
}
