import { bcs } from "@initia/initia.js";
import { expect, test } from "vitest";
import { bridgeAddress as bridgeAddressOf, startVipnode, testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { forward, jsonAnswer, startProxy } from "@vipscore/testkit/startProxy";
import { codeOf, openTestFolder, type CliResult, type TestFolder } from "./harness.ts";
import { startL1 } from "./localL1.ts";
import { bridgeAddress, contractFields, settingsOf } from "./proposalSettings.ts";

const l1 = started(() => startL1());

interface Rollup extends TestFolder {
  readonly register: (more?: readonly string[]) => Promise<CliResult>;
  readonly replace: () => Promise<CliResult>;
}

/** Starts a rollup that names a bridge, and deploys a contract. */
async function startRollup(bridgeId: bigint, l1ChainId?: string): Promise<Rollup> {
  const bridge = { id: bridgeId, address: bridgeAddress, ...(l1ChainId === undefined ? {} : { l1ChainId }) };
  const folder = await openTestFolder(await startVipnode({ vm: "move", bridge }), l1.endpoint);
  const contract = await folder.deploy(2);
  await folder.write("proposal.json", settingsOf(contract, bridgeId));
  await folder.write("contract.json", settingsOf(contract, bridgeId, contractFields));
  const propose = (kind: string, settings: string, more: readonly string[] = []): Promise<CliResult> =>
    folder.cli(["proposal", kind, "--settings", settings, "--out", `${kind}.tx.json`, ...more, "--json"]);
  return {
    ...folder,
    register: (more) => propose("register", "proposal.json", more),
    replace: () => propose("contract", "contract.json"),
  };
}

test("another L1 than the rollup's is refused, although the bridge's number and address are the same", async () => {
  await l1.register(31n, "0x1", 0n);
  await using rollup = await startRollup(31n, "initiation-2");
  for (const result of [await rollup.register(), await rollup.replace()]) {
    expect(codeOf(result)).toBe("CHAIN_MISMATCH");
    for (const chain of [l1.chainId, "initiation-2"]) expect(result.stderr).toContain(chain);
  }
});

test("a bridge that L1 does not have is refused", async () => {
  await using rollup = await startRollup(1001n);
  const refused = await rollup.register();
  expect(codeOf(refused)).toBe("BRIDGE_NOT_FOUND");
  expect(refused.stderr).toContain("1001");
});

test("a bridge below VIP's minimum is refused before the vote, and accepted with the minimum", async () => {
  const minimum = 2_000_000n;
  await l1.call("set_parameters", ...[1_209_600n, 26n, 86_400n, minimum].map((value) => bcs.u64().serialize(value)));
  await using rollup = await startRollup(32n);
  const refused = await rollup.register();
  expect(codeOf(refused)).toBe("BRIDGE_BELOW_MINIMUM");
  for (const part of ["0umin", `${minimum}umin`, "852002"]) expect(refused.stderr).toContain(part);
  await l1.pay(bridgeAddress, minimum);
  expect((await rollup.register()).status).toBe(0);
});

test("nothing is proposed on which L1 votes already", async () => {
  await using rollup = await startRollup(34n);
  const args = [bcs.address().serialize(testAccounts.operator.address), bcs.u64().serialize(34n)];
  const register = {
    "@type": "/initia.move.v1.MsgGovExecute",
    module_address: l1.endpoint.vipAddress,
    module_name: "vip",
    function_name: "register",
    args: args.map((arg) => arg.toBase64()),
  };
  const proposal = { id: "9", messages: [register], status: "PROPOSAL_STATUS_VOTING_PERIOD", failed_reason: "" };
  await using proxy = await startProxy(async (request) =>
    request.path.startsWith("/cosmos/gov/v1/proposals?")
      ? jsonAnswer({ proposals: [proposal] })
      : forward(l1.endpoint.restUrl, request),
  );
  const at = ["--l1-rest-url", proxy.url, "--vip-address", l1.endpoint.vipAddress];
  const refused = await rollup.register(at);
  expect(refused.json()["error"]).toMatchObject({
    code: "PROPOSAL_OPEN",
    message: expect.stringMatching(/\b9\b.*\b34\b/),
  });
});

test("the bridge's own account is refused as operator, by name", async () => {
  await using rollup = await startRollup(33n);
  const settings = settingsOf("0x1", 33n, { operator: bridgeAddressOf(33n) });
  await rollup.write("proposal.json", settings);
  const refused = await rollup.register();
  expect(codeOf(refused)).toBe("OPERATOR_INVALID");
  expect(refused.stderr).toContain("BridgeAccount");
});
