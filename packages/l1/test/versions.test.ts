import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { compareVersions, readLocalMinitiadVersion, readNodeVersion } from "../src/index.ts";
import { json, refusal, serve, text } from "./l1Server.ts";

/** Recorded answer of a minimove that was built without a version. */
const recorded = {
  jsonrpc: "2.0",
  id: -1,
  result: {
    response: {
      data: "minitia",
      last_block_height: "5366",
      last_block_app_hash: "aFC1ejHkGJhuyYchGYe/gDCETAdZMdb1hDZhKmRF9B0=",
    },
  },
};
const answered = (response: object): ReturnType<typeof json> => json({ ...recorded, result: { response } });

test("the name, the height, and no version if the node was built without one", async () => {
  await using server = await serve(json(recorded));
  expect(await readNodeVersion({ rpcUrl: server.url })).toEqual({
    data: "minitia",
    version: undefined,
    lastBlockHeight: 5366n,
  });
  expect(server.requests).toMatchObject([{ method: "POST", path: "/abci_info" }]);
});

test("a version, an empty one, and no block yet", async () => {
  await using server = await serve(answered({ data: "minitia", version: "v1.2.0" }), answered({ version: "" }));
  expect(await readNodeVersion({ rpcUrl: server.url })).toMatchObject({ version: "v1.2.0", lastBlockHeight: 0n });
  expect(await readNodeVersion({ rpcUrl: server.url })).toMatchObject({ version: undefined, data: "" });
});

test("an unreadable answer is requested again", async () => {
  await using server = await serve(json({}), json(recorded));
  expect(await readNodeVersion({ rpcUrl: server.url })).toMatchObject({ lastBlockHeight: 5366n });
});

test("not a node's answer: the error says which endpoint is needed", async () => {
  const answers = [
    // The JSON-RPC of an EVM node.
    json({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "parse error" } }),
    answered({ last_block_height: 5366 }),
    answered({ version: 1 }),
    text("<html>"),
  ];
  // In parallel, because each is retried for seconds.
  const readings = answers.map(async (answer) => {
    await using server = await serve(answer);
    return await readNodeVersion({ rpcUrl: server.url }).catch((error: unknown) => error);
  });
  const metaMessages = [expect.stringContaining("CometBFT") as unknown];
  const error: unknown = expect.objectContaining({ code: "NODE_BAD_RESPONSE", metaMessages });
  expect(await Promise.all(readings)).toEqual(answers.map(() => error));
});

test("the REST port of a node: the error says which endpoint is needed", async () => {
  await using server = await serve(refusal(12, "Not Implemented", 501));
  await expect(readNodeVersion({ rpcUrl: server.url })).rejects.toMatchObject({
    code: "NODE_ERROR",
    metaMessages: [expect.stringContaining("CometBFT") as unknown],
  });
});

/** An environment where `minitiad` is this shell script. */
async function withMinitiad(script: string): Promise<NodeJS.ProcessEnv> {
  const folder = temporaryFolder();
  await writeFile(join(folder, "minitiad"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` };
}

test.each([
  ["to standard output", `[ "$*" = version ] && echo v1.2.0`, "v1.2.0"],
  ["to standard error", "echo v1.2.0 >&2", "v1.2.0"],
  ["an empty line", "echo", undefined],
  ["nothing, and fails", "exit 1", undefined],
])("minitiad prints %s", async (_, script, version) => {
  expect(await readLocalMinitiadVersion(await withMinitiad(script))).toEqual({ version });
});

test("a minitiad that does not exit is stopped", async () => {
  // Longer than a test may take.
  const script = `exec sleep ${(10 * hangBoundMs) / 1000}`;
  expect(await readLocalMinitiadVersion(await withMinitiad(script))).toEqual({ version: undefined });
});

test("no minitiad on PATH", async () => {
  const folder = temporaryFolder();
  expect(await readLocalMinitiadVersion({ PATH: folder })).toBeUndefined();
});

test.each([
  ["v1.2.0", "v1.2.0", "equal"],
  ["v1.2.0", "1.2.0\n", "equal"],
  ["v1.2.0", "v1.2.1", "different"],
  ["v1.2.0", undefined, "unknown"],
  ["", "v1.2.0", "unknown"],
  [undefined, undefined, "unknown"],
])("%s and %s: %s", (one, other, comparison) => {
  expect(compareVersions(one, other)).toBe(comparison);
});
