"""Forwards connections to a Unix socket, and delays all bytes: `delayed_link.py SOCKET MILLISECONDS`, each way.

It prints the port that it listens on, and ends at the end of its input.
"""
import queue
import socket
import sys
import threading
import time

PATH, DELAY = sys.argv[1], float(sys.argv[2]) / 1000


def send(waiting, target):
    while True:
        due, data = waiting.get()
        time.sleep(max(0, due - time.monotonic()))
        if not data:
            target.shutdown(socket.SHUT_WR)
            return
        target.sendall(data)


def forward(source, target):
    waiting = queue.Queue()
    threading.Thread(target=send, args=(waiting, target), daemon=True).start()
    data = True
    while data:
        data = source.recv(65536)
        waiting.put((time.monotonic() + DELAY, data))


def serve(listener):
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server = socket.socket(socket.AF_UNIX)
        server.connect(PATH)
        for pair in ((client, server), (server, client)):
            threading.Thread(target=forward, args=pair, daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
