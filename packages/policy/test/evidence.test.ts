import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { formatManifest, parseManifest } from "@vipscore/core/manifest";
import {
  createManifest,
  manifestAccount,
  openRollupNode,
  openSources,
  readPolicy,
  recoverSigner,
  runPolicy,
} from "../src/index.ts";
import { bob, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

const block = (height: number) => ({ height, hash: `0x${"ab".repeat(32)}`, time: 1_700_000_000 + height });

await using folder = await openPolicyFolder({
  "policy.toml": `exclude = "exclude.csv"\n${pointsPolicy["policy.toml"]}`,
  "exclude.csv": `address\n${bob}\n`,
});
const policy = await readPolicy(folder.path);
const manifest = createManifest(policy, await runPolicy(policy, openSources(policy)), {
  stage: stage(2n ** 64n - 1n),
  chain: {
    node: openRollupNode("evm", "http://127.0.0.1:9"),
    chainId: "rollup-1",
    window: { first: block(5), last: block(9) },
    folder: "unused",
    onProgress: undefined,
  },
  file: "/somewhere/scores12.csv",
  vipscore: "0.1.0",
});

test("names everything that the scores were made from", () => {
  expect(parseManifest(formatManifest(manifest), "m.json")).toEqual(manifest);
  expect(manifest).toMatchObject({
    policy: { name: "points", version: "1" },
    sources: [{ name: "points", kind: "reference", rows: 3 }],
    scores: { file: "scores12.csv", accounts: 1, total: 6n },
    excluded: 1,
    chain: undefined,
    signature: undefined,
  });
  expect(manifest.policy.files.map(({ name }) => name)).toEqual([
    "exclude.csv",
    "points.csv",
    "policy.sql",
    "policy.toml",
  ]);
});

test("is signed by a key, and names it also after a push", async () => {
  const account = manifestAccount(`0x${"07".repeat(32)}`);
  const signed = await account.sign(manifest);
  const eip191 = signed.signature?.eip191 ?? "0x";
  expect(signed).toEqual({ ...manifest, signature: { signer: account.address, eip191 } });
  const contract = { vm: "evm", chainId: "rollup-1", address: bob } as const;
  const chain = { contract, transactions: ["0x01"], finalization: undefined, snapshot: undefined };
  expect(await recoverSigner({ ...signed, chain }, eip191)).toBe(account.address);
  expect(await recoverSigner({ ...signed, excluded: 2 }, eip191)).not.toBe(account.address);
  expect(await recoverSigner(signed, `0x${"ff".repeat(65)}`)).toBeUndefined();
});
