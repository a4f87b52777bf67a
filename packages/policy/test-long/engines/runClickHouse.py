"""Runs statements and then queries in ClickHouse, and writes the rows of each query as JSON."""

import json
import sys

from chdb import session

job = json.load(sys.stdin)
clickhouse = session.Session()
for statement in job["statements"]:
    clickhouse.query(statement)
results = []
for query in job["queries"]:
    text = str(clickhouse.query(query, "JSONCompactStringsEachRow"))
    results.append([json.loads(line) for line in text.splitlines()])
print(json.dumps(results))
