"""Runs statements and then queries in Spark, and writes the rows of each query as JSON."""

import json
import sys

from pyspark.sql import SparkSession

job = json.load(sys.stdin)
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
for name in ("spark.driver.bindAddress", "spark.driver.host"):
    builder = builder.config(name, "127.0.0.1")
spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
for statement in job["statements"]:
    spark.sql(statement)
results = [[[str(value) for value in row] for row in spark.sql(query).collect()] for query in job["queries"]]
print(json.dumps(results))
spark.stop()
