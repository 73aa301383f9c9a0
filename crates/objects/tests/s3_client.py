"""A client of S3 that shares no code with the one under test: Python's standard library alone.

Usage: s3_client.py ENDPOINT KEY SECRET REGION get PATH | put PATH (contents on stdin) | list BUCKET PREFIX |
       sums BUCKET (SHA-256 and key of each object) | uploads BUCKET (key of each unfinished upload) | begin PATH (an upload)
"""
import datetime
import hashlib
import hmac
import http.client
import sys
import urllib.parse
import xml.etree.ElementTree

endpoint, key, secret, region, verb, *arguments = sys.argv[1:]
host = urllib.parse.urlparse(endpoint).netloc


def request(method, path, query=(), body=b""):
    now = datetime.datetime.now(datetime.timezone.utc)
    time, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
    digest = hashlib.sha256(body).hexdigest()
    headers = {"host": host, "x-amz-content-sha256": digest, "x-amz-date": time}
    path = urllib.parse.quote(path, safe="/-._~")
    text = "&".join(f"{urllib.parse.quote(n, safe='-._~')}={urllib.parse.quote(v, safe='-._~')}" for n, v in sorted(query))
    names = ";".join(sorted(headers))
    signed = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    canonical = f"{method}\n{path}\n{text}\n{signed}\n{names}\n{digest}"
    scope = f"{day}/{region}/s3/aws4_request"
    to_sign = f"AWS4-HMAC-SHA256\n{time}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    derived = ("AWS4" + secret).encode()
    for part in (day, region, "s3", "aws4_request"):
        derived = hmac.new(derived, part.encode(), hashlib.sha256).digest()
    signature = hmac.new(derived, to_sign.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = f"AWS4-HMAC-SHA256 Credential={key}/{scope}, SignedHeaders={names}, Signature={signature}"
    connection = http.client.HTTPConnection(host, timeout=20)
    connection.request(method, path + ("?" + text if text else ""), body, headers)
    answer = connection.getresponse()
    contents = answer.read()
    if answer.status >= 300:
        sys.exit(f"{method} {path}: {answer.status} {contents.decode(errors='replace')}")
    return contents


if verb == "get":
    sys.stdout.buffer.write(request("GET", arguments[0]))
elif verb == "put":
    request("PUT", arguments[0], body=sys.stdin.buffer.read())
elif verb == "begin":
    request("POST", arguments[0], [("uploads", "")])
elif verb == "uploads":
    root = xml.etree.ElementTree.fromstring(request("GET", "/" + arguments[0], [("uploads", "")]))
    space = root.tag[: root.tag.index("}") + 1] if root.tag.startswith("{") else ""
    assert root.findtext(space + "IsTruncated") != "true"
    for entry in root.findall(space + "Upload"):
        print(entry.findtext(space + "Key"))
elif verb in ("list", "sums"):
    bucket, prefix = (arguments + [""])[:2]
    token = None
    while True:
        query = [("list-type", "2"), ("prefix", prefix)] + ([("continuation-token", token)] if token else [])
        root = xml.etree.ElementTree.fromstring(request("GET", "/" + bucket, query))
        space = root.tag[: root.tag.index("}") + 1] if root.tag.startswith("{") else ""
        for entry in root.findall(space + "Contents"):
            name = entry.findtext(space + "Key")
            if verb == "sums":
                print(hashlib.sha256(request("GET", f"/{bucket}/{name}")).hexdigest(), name)
            else:
                print(entry.findtext(space + "Size"), name)
        token = root.findtext(space + "NextContinuationToken")
        if not token:
            break
