import Foundation
import Glibc

/// Ends this process by a signal that nothing can catch, wherever it is by then.
func killThisProcess(after milliseconds: UInt32) {
    Thread.detachNewThread {
        usleep(milliseconds * 1000)
        kill(getpid(), SIGKILL)
    }
}
