// A node that lies: it shows the file's rows with the true total, count and revision. Here it is a second chain with the same
// id and addresses, on which two scores are swapped.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { type LocalNode } from "@vipscore/localnet";
import { passOn, script } from "@vipscore/testkit/scriptedServer";
import { addressOf, dailyVms, openTestFolder, startNode, type JsonObject, type TestFolder } from "./harness.ts";

const one = addressOf(0xabc001);
const other = addressOf(0xabc002);
const file = `address,score\n${one},700\n${other},300\n`;
const swapped = `address,score\n${one},300\n${other},700\n`;

function urlOf(vm: Vm, node: LocalNode): string {
  return vm === "move" && "restUrl" in node ? String(node.restUrl) : node.rpcUrl;
}

async function heightOf(folder: TestFolder): Promise<bigint> {
  return BigInt((await folder.ok(["status"]))["height"] as string);
}

let spare = 0x9000;
/** Makes blocks that change nothing in the stage until a chain has a height. */
async function reach(folder: TestFolder, height: bigint): Promise<void> {
  while ((await heightOf(folder)) < height) {
    spare += 1;
    await folder.ok(["members", "add", addressOf(spare)]);
  }
}

describe.each(dailyVms)("%s", (vm) => {
  let liar: TestFolder;
  let truth: TestFolder;
  let truthUrl: string;
  let honestUrl: string;

  beforeAll(async () => {
    // The honest chain first: idle chains add a block each second, and the second endpoint must have the first one's height.
    const honest = await startNode(vm);
    const lying = await startNode(vm);
    truth = await openTestFolder(honest);
    liar = await openTestFolder(lying);
    truthUrl = urlOf(vm, honest);
    for (const [folder, text] of [
      [truth, swapped],
      [liar, file],
    ] as const) {
      await folder.deploy();
      await folder.write("pushed.csv", text);
      await folder.ok(["push", "pushed.csv", "--stage", "1"]);
      await folder.write("scores.csv", file);
    }
    await reach(truth, await heightOf(liar));
    // The same node under another URL.
    honestUrl = (await script((request) => passOn(urlOf(vm, lying), request))).url;
  });
  afterAll(async () => {
    await liar[Symbol.asyncDispose]();
    await truth[Symbol.asyncDispose]();
  });

  const verify = ["verify", "scores.csv", "--stage", "1"];

  test("verify believes one endpoint, and refuses what two show differently, with the accounts", async () => {
    expect(await liar.ok(verify)).toMatchObject({ verification: { agrees: true }, comparedWithSecond: false });
    const refused = await liar.cli([...verify, "--second-endpoint", truthUrl, "--json"]);
    const error = refused.json()["error"] as JsonObject;
    expect(error).toMatchObject({ code: "ENDPOINTS_DIFFER", exit: 3 });
    const hints = (error["hints"] as readonly string[]).join("\n");
    expect(hints).toMatch(new RegExp(`${one}.*\\b700\\b.*\\b300\\b`));
    expect(hints).toMatch(new RegExp(`${other}.*\\b300\\b.*\\b700\\b`));
    // Only the rows differ.
    expect(hints).not.toMatch(/^(?:total|accounts|revision|finalized)\b/m);
  });

  test("finalize and snapshot refuse too, and nothing is final", async () => {
    const env = { VIPSCORE_SECOND_ENDPOINT: truthUrl };
    for (const args of [
      ["finalize", "--stage", "1", "--file", "scores.csv", "--yes"],
      ["snapshot", "--stage", "1", "--bridge-id", "7", "--out", "proofs.json"],
    ]) {
      const refused = await liar.cli([...args, "--json"], { env });
      expect(refused.json()["error"]).toMatchObject({ code: "ENDPOINTS_DIFFER", exit: 3 });
    }
    expect(await liar.ok(["status", "--stage", "1"])).toMatchObject({ stages: [{ isFinalized: false }] });
  });

  test("the same URL twice compares nothing", async () => {
    const args = [...verify, "--endpoint", honestUrl, "--second-endpoint", honestUrl, "--json"];
    expect((await liar.cli([...args, "--vm", vm])).json()["error"]).toMatchObject({ code: "CONFIG_INVALID", exit: 2 });
  });

  test("two that agree finalize, and the snapshot follows", async () => {
    const env = { VIPSCORE_SECOND_ENDPOINT: honestUrl };
    const compared = { comparedWithSecond: true };
    expect(await liar.ok(verify, { env })).toMatchObject(compared);
    const finalize = ["finalize", "--stage", "1", "--file", "scores.csv", "--yes"];
    expect(await liar.ok(finalize, { env })).toMatchObject({ ...compared, verification: { isFinalized: true } });
    expect(await liar.ok(["snapshot", "--stage", "1", "--bridge-id", "7"], { env })).toMatchObject(compared);
  });
});
