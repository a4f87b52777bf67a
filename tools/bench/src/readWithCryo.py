"""Stores all logs of a played node with cryo: `readWithCryo.py <url> <last block> <folder>`. Ends with a line of JSON: what it cost."""

import json
import resource
import sys
import time

import cryo

url, last, folder = sys.argv[1:]
started = time.monotonic()
# The played node serves 500 blocks at once.
cryo.freeze("logs", blocks=[f"1:{int(last) + 1}"], rpc=url, output_dir=folder, inner_request_size=500)
seconds = time.monotonic() - started
usage = resource.getrusage(resource.RUSAGE_SELF)
cpu_seconds = usage.ru_utime + usage.ru_stime
print(json.dumps({"seconds": seconds, "cpuSeconds": cpu_seconds, "peakRss": usage.ru_maxrss * 1024}))
