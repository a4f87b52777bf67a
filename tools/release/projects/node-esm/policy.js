// A policy over a file runs in DuckDB.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { openSources, readPolicy, runPolicy } from "@vipscore/policy";

const files = {
  "policy.toml": `name = "points"
version = "1"

[rollup]
chain_id = "rollup-1"

[[source]]
name = "points"
kind = "reference"
file = "points.csv"
columns = { address = "address", points = "integer" }
`,
  "policy.sql": "select address, sum(points)::hugeint as score from points group by address",
  "points.csv": `address,points
0x8cad25ec80a10522c258e2f59abf0006c9445d1b,5
0xc5ea55d90ae84e307622f1b8b13535ec3eff0475,7
0x8cad25ec80a10522c258e2f59abf0006c9445d1b,1
`,
};
await mkdir("policy", { recursive: true });
for (const [name, text] of Object.entries(files)) await writeFile(`policy/${name}`, text);
const policy = await readPolicy("policy");
const { table } = await runPolicy(policy, openSources(policy));
assert.equal(table.get("0x8cad25ec80a10522c258e2f59abf0006c9445d1b"), 6n);
assert.equal(table.total, 13n);
console.log("a policy");
