import { describe, expect, test } from "vitest";
import { formatBech32 } from "@vipscore/core";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testConnect } from "@vipscore/testkit/adapter/connect";
import { sequencesAroundRefusal, wrongAddresses } from "@vipscore/testkit/adapter/cosmosContract";
import { readRows, stageOne } from "@vipscore/testkit/adapter/rows";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { encodeAddress, encodeU64 } from "../src/bcs.ts";
import { connectMove } from "../src/index.ts";
import { startMove } from "./moveChain.ts";
import { codeOf, deployer, freshAccount, operator, publish } from "./testContract.ts";

describe("on a chain", () => {
  const chain = useChain(() => startMove({ chainId: "connect-1" }));

  testConnect(chain, {
    respell: (address) => [`0x${address.slice(2).toUpperCase()}`, formatBech32(address)],
    wrong: wrongAddresses,
    absent: {
      "a person's account": operator.address,
      "the chain's own account": "0x1",
      "an address that nobody uses": `0x${"ab".repeat(32)}`,
    },
  });

  test("connecting to a module without a first stage works, and it has no stage", async () => {
    const { node } = chain();
    const account = await freshAccount(node);
    await publish(node, account, codeOf("ours", account.account));
    const empty = await chain().read(account.address);
    expect(await empty.getStage(stageOne)).toBeUndefined();
    expect(await empty.getMembers()).toEqual([]);
    await expect(empty.getInitStage()).rejects.toMatchObject({ code: "STAGE_NOT_FOUND" });
  });
});

describe("on a scripted endpoint", () => {
  const { account } = deployer;
  const handle = Buffer.alloc(32, 7);
  const entries = `/initia/move/v1/tables/0x${handle.toString("hex")}/entries`;
  const scores = Buffer.alloc(32, 9);
  const zero = encodeU64(0n);
  const store = Buffer.concat([encodeU64(1n), Buffer.of(1), encodeAddress(account), Buffer.of(1), handle, zero]);
  const resources = `/initia/move/v1/accounts/${account}/resources/by_struct_tag`;
  const resource = (bytes: Buffer): ScriptedAnswer => ({ body: { resource: { raw_bytes: bytes.toString("base64") } } });
  const entry = Buffer.concat([encodeU64(12n), Buffer.of(0), scores, encodeU64(2n)]);
  const module = { raw_bytes: "AA==", upgrade_policy: "COMPATIBLE", abi: JSON.stringify({ exposed_functions: [] }) };
  const node: Readonly<Record<string, readonly ScriptedAnswer[]>> = {
    "/cosmos/base/tendermint/v1beta1/node_info": [{ body: { default_node_info: { network: "scripted-1" } } }],
    [resources]: [resource(store)],
    [`/initia/move/v1/accounts/${account}/modules/vip_score`]: [{ body: { module } }],
    "/cosmos/base/node/v1beta1/status": [{ body: { height: "77" } }],
    [`${entries}/by_key_bytes`]: [{ body: { table_entry: { value_bytes: entry.toString("base64") } } }],
  };
  const view = (value: unknown): ScriptedAnswer => ({ body: { data: JSON.stringify(value) } });
  const absentView = refusal("VM error: status FUNCTION_RESOLUTION_FAILURE of type Verification with message …");

  test("rows are read from the view", async () => {
    const page = {
      stage: "1",
      scores: [
        { addr: "0x5", score: "12" },
        { addr: "0x4", score: "3" },
      ],
    };
    const { url, requests } = await script({
      ...node,
      "/initia/move/v1/view": [view("1.2.3")],
      "/initia/move/v1/view/batch": [{ body: { responses: [view(page).body] } }],
    });
    const contract = await connectMove({ restUrl: url, address: account });
    expect(contract.version).toBe("1.2.3");
    const rows = [5, 4].map((n) => ({ account: `0x${String(n).padStart(40, "0")}`, score: n === 5 ? 12n : 3n }));
    expect(await readRows(contract, stageOne, 9n)).toEqual(rows);
    expect(requests.at(-1)?.headers["x-cosmos-block-height"]).toBe("9");
  });

  test("a module without a version is a reference contract", async () => {
    const { url } = await script({ ...node, "/initia/move/v1/view": [absentView] });
    expect((await connectMove({ restUrl: url, address: account })).version).toBeUndefined();
  });

  test("the height comes from the newest block if the node does not report it otherwise", async () => {
    const latest = { body: { block: { header: { height: "77" } } } };
    const { url } = await script({
      ...node,
      "/cosmos/base/node/v1beta1/status": [refusal("Not Implemented", 12, 501)],
      "/initia/move/v1/view": [absentView],
      "/cosmos/base/tendermint/v1beta1/blocks/latest": [latest],
    });
    expect(await (await connectMove({ restUrl: url, address: account })).getHeight()).toBe(77n);
  });

  test("after a refused sequence the next one is what the node expects, once", async () => {
    const info = (sequence: string) => ({ body: { info: { account_number: "3", sequence } } });
    const refused = {
      code: 32,
      codespace: "sdk",
      txhash: "",
      raw_log: "account sequence mismatch, expected 9, got 6: incorrect account sequence",
    };
    const { url } = await script({
      ...node,
      "/initia/move/v1/view": [absentView],
      [`/cosmos/auth/v1beta1/account_info/${deployer.address}`]: [info("6"), info("7")],
      "/cosmos/tx/v1beta1/txs": [{ body: { tx_response: refused } }],
      "/cosmos/tx/v1beta1/txs/*": [refusal("tx not found", 5, 404)],
    });
    const contract = await connectMove({ restUrl: url, address: account, account: deployer });
    // Two transactions are pending at the node; the sequence that it reports does not count them.
    expect(await sequencesAroundRefusal(contract)).toEqual([6n, 9n, 7n]);
  });

  test("a chain's block gas limit bounds a transaction", async () => {
    const limits = async (max_gas: string) => {
      const params = { block: { max_bytes: "22020096", max_gas } };
      const consensus = { "/cosmos/consensus/v1/params": [{ body: { params } }] };
      const { url } = await script({ ...node, "/initia/move/v1/view": [absentView], ...consensus });
      return (await (await connectMove({ restUrl: url, address: account })).getLimits()).maxGas;
    };
    expect(await limits("30000000")).toBe(30_000_000n);
    expect(await limits("-1")).toBe(100_000_000n);
  });
});
