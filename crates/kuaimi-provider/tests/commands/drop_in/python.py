"""Python's hashlib and ssl, and curl, with a server of this program's: prints what is the same in every run."""

import hashlib
import http.server
import ssl
import subprocess
import threading
import urllib.request

subprocess.run(
    "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=localhost "
    "-addext subjectAltName=DNS:localhost,IP:127.0.0.1".split(),
    check=True,
    stderr=subprocess.DEVNULL,
)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello\n")

    def log_message(self, *arguments):
        pass


context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain("cert.pem", "key.pem")
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"https://127.0.0.1:{server.server_port}/"

client = ssl.create_default_context(cafile="cert.pem")
print(urllib.request.urlopen(url, context=client).read())
try:
    urllib.request.urlopen(url)
    print("an unknown certificate was accepted")
except urllib.error.URLError as error:
    print(error.reason.verify_message)
for arguments in (["--cacert", "cert.pem"], [], ["--cacert", "cert.pem", "--tls-max", "1.2"]):
    done = subprocess.run(["curl", "-sS", *arguments, url], capture_output=True)
    print(done.returncode, done.stdout)

defaults = ssl.create_default_context()
print(defaults.minimum_version, defaults.security_level if hasattr(defaults, "security_level") else "")
print([cipher["name"] for cipher in defaults.get_ciphers()])
for name in ("md5", "sha256", "sm3", "blake2b"):
    print(name, hashlib.new(name, b"abc").hexdigest())
