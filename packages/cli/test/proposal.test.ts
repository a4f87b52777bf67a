import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { readVipBridges, readVipOperator } from "@vipscore/l1";
import { startHardhat, startVipnode, testAccounts, type LocalNode } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { codeOf, openTestFolder, type CliResult } from "./harness.ts";
import { setStage, startL1 } from "./localL1.ts";
import { addresses, broadcastFile, outcomeOf, sequencesOn } from "./proposalL1.ts";
import { bridgeAddress, contractFields, settingsOf, writePolicy } from "./proposalSettings.ts";

const { deployer, operator } = addresses;
const otherAddress = formatBech32(parseAccount(`0x${"c8".repeat(20)}`, { accountBytes: [20] }));

const l1 = started(() => startL1());
/** Number of proposals that L1 has. */
let proposals = 0;

const vip = (): { l1RestUrl: string; vipAddress: string } => ({
  l1RestUrl: l1.endpoint.restUrl,
  vipAddress: l1.endpoint.vipAddress,
});
const asOperator = { env: { MNEMONIC: testAccounts.operator.mnemonic } };

const register = ["proposal", "register", "--settings", "proposal.json"];
const replace = ["proposal", "contract", "--settings", "contract.json"];

describe.each([
  ["move", 7n, (bridge): Promise<LocalNode> => startVipnode({ vm: "move", bridge })],
  ["wasm", 300n, (bridge): Promise<LocalNode> => startVipnode({ vm: "wasm", bridge })],
] as const satisfies readonly (readonly [
  string,
  bigint,
  (bridge: { id: bigint; address: string }) => Promise<LocalNode>,
])[])("%s", (vm, bridgeId, startRollup) => {
  const folder = started(async () =>
    openTestFolder(await startRollup({ id: bridgeId, address: bridgeAddress }), l1.endpoint),
  );
  let contract: string;
  beforeAll(async () => {
    contract = await folder.deploy(1);
    await folder.write("proposal.json", settingsOf(contract, bridgeId));
  });

  test("the unsigned file says what it means, and nothing is sent", async () => {
    const before = await sequencesOn(l1);
    // A name that the folder's node file does not have, as an L1 that is not local.
    const env = {
      L1_REST_URL: l1.endpoint.restUrl.replace("127.0.0.1", "localhost"),
      VIP_ADDRESS: l1.endpoint.vipAddress,
    };
    await writePolicy(folder, vm);
    const post = ["--forum", "forum.md", "--policy", "policy"];
    const result = await folder.cli([...register, "--out", "unsigned.json", ...post], { env });
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(/^0x[0-9a-f]+::vip::register\b.*\bvipnode-l1-1\n/m);
    for (const [name, value] of [
      ["title", "Register the rollup"],
      ["summary", "Users of the rollup earn."],
      ["proposer", deployer],
      ["initial_deposit", "10000000umin"],
    ]) {
      expect(result.stdout).toMatch(new RegExp(`^${name} +${value}$`, "m"));
    }
    expect(result.stdout).toMatch(new RegExp(`^ {2}operator +${operator}$`, "m"));
    expect(result.stdout).toMatch(new RegExp(`^ {2}vip_l2_score_contract +${contract}$`, "m"));
    expect(result.stdout).toMatch(/^ {2}operator_commission_rate +0\.05$/m);
    expect(result.stdout).toMatch(/\bunsigned\.json\n.*\bforum\.md\n$/);
    expect(result.stderr).toMatch(/^ {2}.*\btrades\.volume$/m);
    expect(result.stderr).toMatch(/\binitiad tx sign unsigned\.json .*--node\b/);
    expect(JSON.parse(await readFile(join(folder.cwd, "unsigned.json"), "utf8"))).toMatchObject({
      body: {
        messages: [{ proposer: deployer, messages: [{ sender: expect.stringMatching(/^init1q+pqr5e3d$/) }] }],
      },
      auth_info: { signer_infos: [] },
      signatures: [],
    });
    const forum = await readFile(join(folder.cwd, "forum.md"), "utf8");
    for (const part of [
      contract,
      operator,
      bridgeAddress,
      "https://example.org/policy",
      "npx @vipscore/cli score",
      "\\sum",
    ]) {
      expect(forum).toContain(part);
    }
    expect(await sequencesOn(l1)).toEqual(before);
  });

  test("the signed file, sent by a person, registers the rollup", async () => {
    const before = await sequencesOn(l1);
    const written = await folder.cli([...register, "--out", "signed.json", "--sign", "--json"]);
    expect(written.json()).toMatchObject({
      isSigned: true,
      files: ["signed.json"],
      call: { function: "register" },
    });
    expect(written.stderr).toMatch(/\bvipscore practice send signed\.json$/m);
    expect(await sequencesOn(l1)).toEqual(before);
    expect(await broadcastFile(l1, folder.cwd, "signed.json")).toBe("");
    proposals += 1;
    expect(await outcomeOf(l1, proposals)).toMatchObject({ status: "PROPOSAL_STATUS_PASSED", failed_reason: "" });
    const { bridges } = await readVipBridges(vip());
    expect(bridges.find((bridge) => bridge.bridgeId === bridgeId)).toMatchObject({ vm, scoreContract: contract });
    expect((await readVipOperator({ ...vip(), bridgeId, version: 1n })).commission.rate).toBe(5n * 10n ** 16n);
    const again = await folder.cli([...register, "--out", "again.json", "--json"]);
    expect(codeOf(again)).toBe("BRIDGE_REGISTERED");
  });

  test("another contract, signed and sent, replaces the first", async () => {
    const { contract: deployed } = await folder.ok(["deploy", "--init-stage", "1"], asOperator);
    const { address } = deployed as { readonly address: string };
    expect(address).not.toBe(contract);
    await folder.write("contract.json", settingsOf(address, bridgeId, contractFields));
    await folder.ok([...replace, "--out", "contract.tx.json", "--sign", "--forum", "contract.md"]);
    expect(await broadcastFile(l1, folder.cwd, "contract.tx.json")).toBe("");
    proposals += 1;
    expect(await outcomeOf(l1, proposals)).toMatchObject({ status: "PROPOSAL_STATUS_PASSED" });
    const { bridges } = await readVipBridges(vip());
    expect(bridges.find((bridge) => bridge.bridgeId === bridgeId)?.scoreContract).toBe(address);
    expect(await readFile(join(folder.cwd, "contract.md"), "utf8")).toContain(
      "`new_vip_l2_score_contract` | " + address,
    );
  });

  test("the operator changes its commission once in a stage, within its bounds", async () => {
    const change = async (rate: string, name: string): Promise<CliResult> =>
      folder.cli(
        ["operator", "commission", rate, "--bridge-id", `${bridgeId}`, "--out", name, "--sign", "--json"],
        asOperator,
      );
    await setStage(l1, 20n + bridgeId);
    for (const refused of ["0.2", "0.51", "1.5"])
      expect(codeOf(await change(refused, "c.json"))).toBe("COMMISSION_INVALID");
    expect(codeOf(await change("5%", "c.json"))).toBe("INPUT_INVALID");
    expect((await change("0.15", "commission.json")).status).toBe(0);
    expect(await broadcastFile(l1, folder.cwd, "commission.json")).toBe("");
    expect((await readVipOperator({ ...vip(), bridgeId, version: 1n })).commission.rate).toBe(15n * 10n ** 16n);
    expect(codeOf(await change("0.1", "c.json"))).toBe("COMMISSION_INVALID");
  });

  test("the operator hands its role over", async () => {
    const hand = async (to: string, name: string, more: readonly string[] = []): Promise<CliResult> =>
      folder.cli(
        ["operator", "address", to, "--bridge-id", `${bridgeId}`, "--out", name, "--json", ...more],
        asOperator,
      );
    expect(codeOf(await hand(otherAddress, "o.json"))).toBe("OPERATOR_INVALID");
    const long = await hand(`0x${"b7".repeat(32)}`, "o.json");
    expect(codeOf(long)).toBe("OPERATOR_INVALID");
    expect(long.stderr).not.toContain("[secret]");
    expect((await hand(deployer, "operator.json", ["--sign"])).status).toBe(0);
    expect(await broadcastFile(l1, folder.cwd, "operator.json")).toBe("");
    const { bridges } = await readVipBridges(vip());
    const found = bridges.find((bridge) => bridge.bridgeId === bridgeId);
    expect(parseAccount(found?.operatorAddress ?? "", { accountBytes: [20] })).toBe(
      parseAccount(deployer, { accountBytes: [20] }),
    );
    expect(codeOf(await hand(operator, "o.json", ["--sign"]))).toBe("PERMISSION_DENIED");
  });
});

describe("wrong settings", () => {
  const folder = started(async () =>
    openTestFolder(await startVipnode({ vm: "move", bridge: { id: 9n, address: bridgeAddress } }), l1.endpoint),
  );
  let contract: string;
  beforeAll(async () => {
    contract = await folder.deploy(1);
  });

  /** Runs a registration that must fail, and returns its error; checks that it wrote nothing. */
  async function refused(changes: object, more: readonly string[] = []): Promise<{ code: string; message: string }> {
    await folder.write("proposal.json", settingsOf(contract, 9n, changes));
    const files = await readdir(folder.cwd);
    const result = await folder.cli([...register, "--out", "tx.json", "--forum", "forum.md", "--json", ...more]);
    expect(await readdir(folder.cwd)).toEqual(files);
    return result.json()["error"] as unknown as { code: string; message: string };
  }

  test.each<readonly [field: string, how: string, changes: object]>([
    ["title", "missing", { title: undefined }],
    ["title", "empty", { title: " " }],
    ["title", "too long", { title: "t".repeat(256) }],
    ["title", "too long in bytes", { title: "é".repeat(128) }],
    ["title", "of two lines", { title: "Register\nit" }],
    ["title", "with a control character", { title: "Register\u001b[2J" }],
    ["title", "with a mark that reverses it", { title: "Register \u202eit" }],
    ["metadata", "of two lines", { metadata: "https://a\nb" }],
    ["summary", "too long", { summary: "s".repeat(10_201) }],
    ["metadata", "too long", { metadata: "m".repeat(256) }],
    ["metadata", "JSON with another title", { metadata: '{"title":"other"}' }],
    ["deposit", "nothing", { deposit: "0umin" }],
    ["deposit", "of another denomination", { deposit: "10000000uother" }],
    ["deposit", "a fraction", { deposit: "1.5umin" }],
    ["proposer", "missing", { proposer: undefined }],
    ["proposer", "not an address", { proposer: "init1nobody" }],
    ["bridgeId", "zero", { bridgeId: 0 }],
    ["bridgeId", "a fraction", { bridgeId: 1.5 }],
    ["bridgeId", "too large", { bridgeId: "18446744073709551616" }],
    ["bridgeAddress", "of another chain", { bridgeAddress: "cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu" }],
    ["operator", "a number", { operator: 7 }],
    ["contract", "null", { contract: null }],
    ["contract", "not an address", { contract: "not an address" }],
    ["commission", "text", { commission: "0.05" }],
    ["commission.rate", "a number", { commission: { maxRate: "0.5", maxChangeRate: "0.1", rate: 0.05 } }],
    ["commission.maxRate", "missing", { commission: { maxChangeRate: "0.1", rate: "0.05" } }],
    ["policy", "empty", { policy: "" }],
    ["commision", "unknown", { commision: {} }],
    ["commission.min", "unknown", { commission: { maxRate: "0.5", maxChangeRate: "0.1", rate: "0.05", min: "0" } }],
  ])("the field %s is named: %s", async (field, _, changes) => {
    const { code, message } = await refused(changes);
    expect(code).toBe("PROPOSAL_INVALID");
    expect(message).toContain(`proposal.json: ${field} `);
  });

  test.each([
    ["BRIDGE_MISMATCH", { bridgeId: 10 }],
    ["BRIDGE_MISMATCH", { bridgeAddress: otherAddress }],
    ["OPERATOR_INVALID", { operator: otherAddress }],
    // Governance's account: no key belongs to it.
    ["OPERATOR_INVALID", { operator: "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3" }],
    ["CONTRACT_NOT_FOUND", { contract: otherAddress }],
    ["COMMISSION_INVALID", { commission: { maxRate: "1.1", maxChangeRate: "0.1", rate: "0.05" } }],
    ["COMMISSION_INVALID", { commission: { maxRate: "0.5", maxChangeRate: "1.1", rate: "0.05" } }],
    ["COMMISSION_INVALID", { commission: { maxRate: "0.5", maxChangeRate: "0.1", rate: "0.6" } }],
  ] as const)("%s for %j", async (code, changes) => {
    expect((await refused(changes)).code).toBe(code);
  });

  test.each([
    ["a key", testAccounts.operator.privateKey],
    ["a mnemonic", testAccounts.operator.mnemonic],
  ])("%s in the wrong field is not repeated", async (_, key) => {
    for (const field of ["contract", "operator", "bridgeAddress", "proposer", "bridgeId", "deposit", key]) {
      const { message } = await refused({ [field]: key });
      expect(message).not.toContain(key.slice(2, 18));
      expect(message).not.toContain(key.slice(-16));
    }
  });

  test("the signer is another account than the proposer", async () => {
    expect((await refused({ proposer: operator }, ["--sign"])).code).toBe("PROPOSAL_INVALID");
  });

  test("a deposit that does not start the vote is written, with a warning", async () => {
    await folder.write("proposal.json", settingsOf(contract, 9n, { deposit: "9999999umin" }));
    const written = await folder.cli([...register, "--out", "small.json"]);
    expect(written.status).toBe(0);
    expect(written.stderr).toMatch(/^warning .*\b10000000umin\b/m);
  });

  test("a deposit above the proposer's balance: a warning, and refused once signed", async () => {
    const above = { deposit: `${"9".repeat(30)}umin` };
    await folder.write("proposal.json", settingsOf(contract, 9n, above));
    const written = await folder.cli([...register, "--out", "above.json"]);
    expect(written.status).toBe(0);
    expect(written.stderr).toMatch(new RegExp(`^warning .*\\b${deployer}\\b.*\\b${above.deposit}\\b`, "m"));
    expect((await refused(above, ["--sign"])).code).toBe("INSUFFICIENT_FUNDS");
  });

  test("an operator of 32 bytes is refused, and says why without its address, which may be a key", async () => {
    const long = `0x${"b7".repeat(32)}`;
    const { code, message } = await refused({ operator: long });
    expect(code).toBe("OPERATOR_INVALID");
    expect(message).toContain("32 bytes");
    expect(message).not.toContain("[secret]");
  });

  test("a file that exists is not replaced, and two options need two files", async () => {
    await folder.write("taken.json", "mine");
    await folder.write("proposal.json", settingsOf(contract, 9n));
    const taken = await folder.cli([...register, "--out", "taken.json", "--json"]);
    expect(codeOf(taken)).toBe("FILE_UNWRITABLE");
    expect(await readFile(join(folder.cwd, "taken.json"), "utf8")).toBe("mine");
    const alone = await folder.cli([...register, "--out", "tx.json", "--policy", "policy", "--json"]);
    expect(codeOf(alone)).toBe("INPUT_INVALID");
    const same = await folder.cli([...register, "--out", "tx.json", "--forum", "tx.json", "--json"]);
    expect(codeOf(same)).toBe("INPUT_INVALID");
  });

  test("settings that are not JSON, or not there", async () => {
    await folder.write("broken.json", "{");
    const broken = await folder.cli(["proposal", "register", "--settings", "broken.json", "--out", "x.json", "--json"]);
    expect(codeOf(broken)).toBe("PROPOSAL_INVALID");
    const missing = await folder.cli(["proposal", "register", "--settings", "none.json", "--out", "x.json", "--json"]);
    expect(codeOf(missing)).toBe("FILE_UNREADABLE");
  });

  test("a contract or an operator of a bridge that is not registered", async () => {
    await folder.write("contract.json", settingsOf(contract, 9n, contractFields));
    const other = await folder.cli([...replace, "--out", "x.json", "--json"]);
    expect(codeOf(other)).toBe("BRIDGE_NOT_REGISTERED");
    for (const args of [
      ["commission", "0.1"],
      ["address", deployer],
    ]) {
      const refusal = await folder.cli(["operator", ...args, "--bridge-id", "9", "--out", "x.json", "--json"]);
      expect(codeOf(refusal)).toBe("BRIDGE_NOT_REGISTERED");
    }
  });

  test("the longest texts need no more than the default gas", async () => {
    const longest = { title: "t".repeat(255), summary: "s".repeat(10_200), metadata: "m".repeat(255) };
    await folder.write("proposal.json", settingsOf(contract, 9n, longest));
    await folder.ok([...register, "--out", "longest.json", "--sign"]);
    expect(await broadcastFile(l1, folder.cwd, "longest.json")).toBe("");
    proposals += 1;
    expect(await outcomeOf(l1, proposals)).toMatchObject({ status: "PROPOSAL_STATUS_PASSED" });
  });
});

test("an EVM rollup needs its REST endpoint, which may name no bridge", async () => {
  await using folder = await openTestFolder(await startHardhat(), l1.endpoint);
  const contract = await folder.deploy(1);
  await folder.write("proposal.json", settingsOf(contract, 11n));
  const unknown = await folder.cli([...register, "--out", "tx.json", "--json"]);
  expect(codeOf(unknown)).toBe("CONFIG_INVALID");
  await using without = await startVipnode({ vm: "wasm" });
  const none = await folder.cli([...register, "--out", "tx.json", "--json", "--rollup-rest-url", without.restUrl]);
  expect(codeOf(none)).toBe("BRIDGE_MISMATCH");
  await using rest = await startVipnode({ vm: "wasm", bridge: { id: 11n, address: bridgeAddress } });
  const found = await folder.ok([...register, "--out", "tx.json"], { env: { ROLLUP_REST_URL: rest.restUrl } });
  expect(found["call"]).toMatchObject({ arguments: expect.arrayContaining([{ name: "vm_type", value: "2 (evm)" }]) });
});
