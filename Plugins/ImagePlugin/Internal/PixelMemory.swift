internal import Foundation
internal import Transformable

/// Uninitialized memory for the pixels of an image.
///
/// It owns the memory until ``take()`` transfers ownership.
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

    /// Returns the pixels, which own their memory.
    consuming func take() -> Data {
        let result = unsafe Data(bytesNoCopy: address, count: count, deallocator: .free)
        discard self
        return result
    }
}
