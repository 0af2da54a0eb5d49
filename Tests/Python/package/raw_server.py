"""A server that answers with the bytes that a test gives it, in the pieces that it gives."""

import socket
import threading
import time


class RawServer:
    """Each connection gets the answers in order, one for each request; `requests` holds what was asked.

    An answer is a list of pieces; the connection ends after the last answer.
    """

    def __init__(self, *answers, stays=False):
        self.requests, self.connections = [], 0
        self.closed = threading.Semaphore(0)
        self._answers, self._stays, self._open = list(answers), stays, []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while self._answers:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(client)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while self._answers:
                request = self._request(client)
                if not request:
                    break
                self.requests.append(request)
                self._answer(client, self._answers.pop(0))
                if not self._stays:
                    break
            if not self._stays or not self._answers:
                client.close()
                self.closed.release()

    def _request(self, client):
        request = b""
        while b"\r\n\r\n" not in request:
            piece = client.recv(65536)
            if not piece:
                return request
            request += piece
        head, _, body = request.partition(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0)
        while len(body) < length:
            body += client.recv(65536)
        return head + b"\r\n\r\n" + body

    def _answer(self, client, pieces):
        try:
            for piece in pieces:
                client.sendall(piece)
                # So that pieces arrive as pieces; nothing is decided by it.
                time.sleep(0.001)
        except OSError:
            pass

    def close(self):
        self._answers = []
        self._listener.close()
        for client in self._open:
            client.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
