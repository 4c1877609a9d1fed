internal import Foundation
internal import Transformable

/// Memory for the pixels of one picture, taken at once and not cleared.
///
/// It owns what it holds until ``take()`` gives it away.
@safe struct PixelMemory: ~Copyable {
    private let address: UnsafeMutableRawPointer
    let count: Int

    init(_ count: Int) throws(TransformerError) {
        guard count > 0, let address = unsafe malloc(count) else { throw .outOfMemory }
        unsafe self.address = address
        self.count = count
    }

    deinit {
        unsafe free(address)
    }

    @unsafe var start: UnsafeMutableRawPointer { unsafe address }

    /// The pixels, which free their memory themselves.
    consuming func take() -> Data {
        let result = unsafe Data(bytesNoCopy: address, count: count, deallocator: .free)
        discard self
        return result
    }
}
