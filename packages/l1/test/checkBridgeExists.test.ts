import { expect, test } from "vitest";
import { checkBridgeExists } from "../src/index.ts";
import { json, refusal, serve, type Answer } from "./l1Server.ts";

async function check(answer: Answer): Promise<readonly string[]> {
  await using server = await serve(answer);
  await checkBridgeExists({ l1RestUrl: server.url, bridgeId: 9n });
  return server.requests.map(({ path }) => path);
}

test("a bridge of L1", async () => {
  const bridge = { bridge_id: "9", bridge_addr: "init1", bridge_config: {} };
  expect(await check(json(bridge))).toEqual(["/opinit/ophost/v1/bridges/9"]);
});

test("a bridge that L1 does not have", async () => {
  // Recorded from a node of L1 v1.4.6.
  const message = "collections: not found: key '9' of type github.com/cosmos/gogoproto/opinit.ophost.v1.BridgeConfig";
  await expect(check(refusal(2, message))).rejects.toMatchObject({
    code: "BRIDGE_NOT_FOUND",
    shortMessage: expect.stringMatching(/\bbridge 9\b/) as unknown,
  });
});

test("another chain than an L1", async () => {
  await expect(check(refusal(12, "Not Implemented", 501))).rejects.toMatchObject({ code: "NODE_ERROR" });
});
