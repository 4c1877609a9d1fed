import Foundation
import Testing

/// Passes one connection on to a server, and changes bytes of the server's answers.
///
/// It closes the connection after a time of silence, so that a client that waits for bytes that were announced but not
/// sent does not wait forever.
final class MutatingProxy: Sendable {
    let port: UInt16
    private let listener: Int32

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - path: The path of the server's socket.
    ///   - seed: What decides which bytes are changed.
    ///   - silence: The number of milliseconds after which it closes a connection on which nothing is said.
    /// - Throws: An error of the test if the proxy cannot listen.
    init(for path: String, seed: UInt64, silence: Int32 = 100) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        port = try Self.listen(listener)
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            guard client >= 0, let server = try? Self.connect(to: path) else { return }
            Self.pass(from: client, to: server, Mutator(seed: seed), silence)
            close(client)
            close(server)
        }
    }

    deinit {
        close(listener)
    }

    /// Listens on a free port of the loopback interface, and returns its number.
    static func listen(_ descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && Glibc.listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        try #require(isListening)
        return UInt16(bigEndian: address.sin_port)
    }

    private static func connect(to path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1))
        }
        let code = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0)
        return descriptor
    }

    /// Passes bytes on in both directions until either side ends, or says nothing for a while.
    private static func pass(from client: Int32, to server: Int32, _ mutator: Mutator, _ silence: Int32) {
        var mutator = mutator
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var descriptors = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&descriptors, 2, silence) > 0 else { return }
            for (source, target) in [(0, 1), (1, 0)] where descriptors[source].revents != 0 {
                let count = unsafe recv(descriptors[source].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                if source == 1 { mutator.change(&buffer, count: count) }
                guard unsafe send(descriptors[target].fd, buffer, count, Int32(MSG_NOSIGNAL)) == count else {
                    return
                }
            }
        }
    }
}

/// Changes about one byte of a thousand, after the first ones.
private struct Mutator {
    private var state: UInt64
    private var position = 0
    private var next: Int

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        // Most connections get through the handshake, which takes about 400 bytes.
        next = Int(seed % 8) * 128
    }

    /// Returns a number from a linear congruential generator.
    private mutating func random(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    mutating func change(_ buffer: inout [UInt8], count: Int) {
        while next < position + count {
            buffer[next - position] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(random(below: 256))][random(below: 6)]
            next += 1 + random(below: 2000)
        }
        position += count
    }
}
