"""Receives webhooks and verifies them, with nothing but Python: SECRET=whsec_... python3 receiver.py"""
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))


def verified(headers, body):
    """Whether the sender knows the secret, and has sent it within the last five minutes."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return fresh and any(hmac.compare_digest(wanted, s) for s in headers["webhook-signature"].split())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        ok = verified(self.headers, body)
        if ok:  # keep the webhook-id: what comes again with it is the same event
            event = json.loads(body)
            print(event["type"], event["data"], flush=True)
        self.send_response(204 if ok else 401)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
