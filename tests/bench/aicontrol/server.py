"""The AiControl protocol's ping, status and errors, as a threaded server of Python's standard library would have it. Prints its port."""

import json
import socketserver

LIMIT = 1_048_576


class Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self):
        while True:
            line = self.rfile.readline(LIMIT + 2)
            if not line.endswith(b"\n"):
                return
            self.wfile.write(json.dumps(self.answer(line), separators=(",", ":")).encode() + b"\n")

    def answer(self, line):
        try:
            request = json.loads(line.decode("utf-8", "strict"))
        except ValueError:
            return self.error(None, -32700, "parse error")
        if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or "id" not in request:
            return self.error(None, -32600, "invalid request")
        method, params = request.get("method"), request.get("params", {})
        if not isinstance(method, str) or not method or not isinstance(params, dict):
            return self.error(request["id"], -32600, "invalid request")
        if method == "ping":
            return {"jsonrpc": "2.0", "id": request["id"], "result": {"ok": True}}
        if method == "status":
            return {"jsonrpc": "2.0", "id": request["id"], "result": {"running": True}}
        return self.error(request["id"], -32601, "method not found")

    def error(self, request_id, code, message):
        return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Server(("127.0.0.1", 0), Handler) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
