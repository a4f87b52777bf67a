import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { query, startPostgres } from "@vipscore/testkit/startPostgres";
import { codeOf as codeOfResult, csvOf, startTestChain } from "./harness.ts";

const folder = started(() => startTestChain());
const codeOf = async (args: readonly string[]): Promise<unknown> => codeOfResult(await folder.cli([...args, "--json"]));

interface LeafJson {
  readonly address: string;
  readonly score: string;
  readonly proof: readonly string[];
}
interface ProofsJson {
  readonly bridgeId: string;
  readonly root: string;
  readonly leaves: readonly LeafJson[];
}

/** What PostgreSQL returns of a value that was in a column of type jsonb. */
async function throughJsonb(value: object): Promise<string> {
  const { url, stop } = await startPostgres();
  const [row] = await query(url, `select $json$${JSON.stringify(value)}$json$::jsonb::text as text`);
  await stop();
  return String(row?.["text"]);
}

test("proofs in any order of keys, as PostgreSQL's jsonb returns them", async () => {
  await folder.deploy(2);
  await folder.write("scores.csv", csvOf(5));
  await folder.ok(["push", "scores.csv", "--stage", "2"]);
  await folder.ok(["snapshot", "--stage", "2", "--bridge-id", "7", "--out", "keys.json"]);
  const good = JSON.parse(await readFile(join(folder.cwd, "keys.json"), "utf8")) as ProofsJson;
  const text = await throughJsonb(good);
  await folder.write("jsonb.json", text);
  expect(text.indexOf('"leaves"')).toBeLessThan(text.indexOf('"bridgeId"'));
  const found = { proofs: 5, root: good.root, bridgeId: good.bridgeId };
  expect(await folder.ok(["verify-proof", "jsonb.json"])).toMatchObject(found);
  const { leaves, ...head } = good;
  const [leaf] = leaves as readonly [LeafJson];
  const write = (value: object): Promise<string> => folder.write("sorted.json", JSON.stringify(value));
  for (const order of [
    { leaves, ...head },
    Object.fromEntries(Object.entries(good).toReversed()),
    { ...head, leaves: leaves.map(({ address, score, proof }) => ({ score, proof, address })) },
  ]) {
    await write(order);
    expect(await folder.ok(["verify-proof", "sorted.json"])).toMatchObject(found);
    expect(await folder.ok(["verify-proof", "sorted.json", "--address", leaf.address])).toMatchObject({ proofs: 1 });
  }
  await write({ leaves: [{ ...leaf, score: "1" }, ...leaves.slice(1)], ...head });
  expect(await codeOf(["verify-proof", "sorted.json"])).toBe("PROOF_INVALID");
  // Each of these means one thing to one reader and another thing to the next.
  for (const ambiguous of [
    text.replace(/\}\s*$/, ', "root": "00"}'),
    text.replace(/\}\s*$/, ', "leaves": []}'),
    text.replace(/\}\s*$/, ', "more": []}'),
    text.replace('"leaves":', String.raw`"x\"leaves": [], "leaves":`),
    text.replace(/"bridgeId": "\d+"/, '"total": "1"'),
    text.slice(0, -1),
    `${text}x`,
  ]) {
    expect(ambiguous).not.toBe(text);
    await folder.write("sorted.json", ambiguous);
    expect([ambiguous.slice(-80), await codeOf(["verify-proof", "sorted.json"])]).toEqual([
      expect.any(String),
      "INPUT_INVALID",
    ]);
  }
});
