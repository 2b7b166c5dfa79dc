#!/usr/bin/env python3
"""A channel program for Midcourse: a small chat page on this machine, with Python's own libraries only.

    [channels.web]
    kind = "program"
    command = ["python3", "/path/to/examples/channels/web.py", "8790"]
    features = ["edits", "reactions", "buttons"]

Then open http://127.0.0.1:8790. docs/channels/program.md describes the lines on standard input and output.
"""
import html
import json
import queue
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 8790
lock = threading.Lock()
messages = []   # {"id", "from", "text", "reaction", "buttons"}
unstored = {}   # updates that Midcourse has not stored yet, by their number
numbers = iter(range(1, 1 << 62))
out = queue.Queue()

def say(line):
    out.put(json.dumps(line))

def writer():
    while True:
        print(out.get(), flush=True)

def send_update(update):
    number = str(next(numbers))
    with lock:
        unstored[number] = update
    say({"type": "update", "ack": number, "update": update})

def find(message_id):
    return next((m for m in messages if m["id"] == message_id), {})

def carry_out(request):
    """Carries out a request of Midcourse; returns the id of the message."""
    kind = request["type"]
    with lock:
        if kind in ("text", "card"):
            message_id = "m%d" % next(numbers)
            title = request.get("title", "")
            messages.append({"id": message_id, "from": "midcourse", "text": (title + "\n" + request["text"]).strip(),
                             "reaction": "", "buttons": request.get("buttons", [])})
            return message_id
        message = find(request["message_id"])
        if kind == "reaction":
            message["reaction"] = request["status"]
        else:  # edit, close_card
            message["text"] = request["text"]
            message["buttons"] = []
        return request["message_id"]

def reader():
    for line in sys.stdin:
        line = json.loads(line)
        kind = line.get("type")
        if kind == "ping":
            say({"type": "pong"})
        elif kind == "request":
            say({"type": "result", "id": line["request"]["id"], "result": "sent", "message_id": carry_out(line["request"])})
        elif kind in ("stored", "refused"):
            with lock:
                unstored.pop(line["ack"], None)
        elif kind == "send_again":
            with lock:
                update = unstored.get(line["ack"])
            if update:
                threading.Timer(5, say, [{"type": "update", "ack": line["ack"], "update": update}]).start()
    server.shutdown()  # the input has ended: Midcourse has closed the channel

class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        with lock:
            if self.path == "/messages":
                body, kind = json.dumps(messages), "application/json"
            else:
                rows = "".join(
                    "<p><b>%s</b>: %s <i>%s</i>%s</p>" % (
                        html.escape(m["from"]), html.escape(m["text"]).replace("\n", "<br>"), html.escape(m["reaction"]),
                        "".join("<form method=post action=/click><input type=hidden name=card value='%s'><button name=button value='%s'>%s</button></form>"
                                % (html.escape(m["id"]), html.escape(b["id"]), html.escape(b["label"])) for b in m["buttons"]))
                    for m in messages)
                body = ("<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=5><title>Chat</title>" + rows +
                        "<form method=post action=/send><input name=text autofocus size=60> reply to <input name=reply_to size=6><button>Send</button></form>")
                kind = "text/html; charset=utf-8"
        self.answer(200, body, kind)

    def do_POST(self):
        origin = self.headers.get("Origin", "")
        if origin and origin != "http://127.0.0.1:%d" % PORT:
            return self.answer(403, "", "text/plain")  # a page of another site
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()))
        sender = {"id": "you", "name": "You"}
        chat = {"id": "page", "kind": "direct"}
        if self.path == "/click":
            send_update({"type": "click", "update_id": "u%d" % next(numbers), "message_id": form["card"], "chat": chat,
                         "sender": sender, "button": form["button"]})
        elif form.get("text"):
            message_id = "p%d" % next(numbers)
            with lock:
                messages.append({"id": message_id, "from": "you", "text": form["text"], "reaction": "", "buttons": []})
            update = {"message_id": message_id, "chat": chat, "sender": sender, "text": form["text"]}
            if form.get("reply_to"):
                update["reply_to"] = {"message_id": form["reply_to"], "ours": find(form["reply_to"]).get("from") == "midcourse"}
            send_update(update)
        self.answer(303, "", "text/plain")

    def answer(self, status, body, kind):
        body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status == 303:
            self.send_header("Location", "/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass  # standard output belongs to the lines for Midcourse

server = ThreadingHTTPServer(("127.0.0.1", PORT), Page)
say({"type": "hello", "account": "page"})
threading.Thread(target=writer, daemon=True).start()
threading.Thread(target=reader, daemon=True).start()
server.serve_forever()
