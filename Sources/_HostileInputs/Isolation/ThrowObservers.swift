internal import Glibc

/// What watches errors as they are thrown.
enum ThrowObservers {
    /// The runtime's hooks, which Swift Testing fills.
    private static let hooks = ["_swift_willThrow", "_swift_willThrowTypedImpl"]

    /// Takes the watchers away from this process.
    ///
    /// Swift Testing takes a backtrace of every error thrown. The standard library throws one to itself for each
    /// broken byte of a text, so that a megabyte of them would take a minute and look like a slow decoder.
    static func remove() {
        for hook in hooks {
            // Each is one pointer, or null; only the one thread of a fresh child calls this.
            guard let address = unsafe dlsym(nil, hook) else { continue }
            unsafe address.storeBytes(of: nil, as: UnsafeRawPointer?.self)
        }
    }
}
