import { QueryAccountInfoResponse } from "cosmjs-types/cosmos/auth/v1beta1/query";
import { QueryParamsResponse } from "cosmjs-types/cosmos/consensus/v1/query";
import {
  QueryContractInfoResponse,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { describe, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { allFeatures, noFeatures } from "@vipscore/core/engine";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testConnect } from "@vipscore/testkit/adapter/connect";
import { sequencesAroundRefusal, wrongAddresses } from "@vipscore/testkit/adapter/cosmosContract";
import { stageOne } from "@vipscore/testkit/adapter/rows";
import { failure, refused, result, scriptNode, state, type Reply } from "@vipscore/testkit/scriptedNode";
import { script } from "@vipscore/testkit/scriptedServer";
import { connectWasm } from "../src/index.ts";
import { codeOf, deployer, instantiate, operator, storeOnce } from "./testContract.ts";
import { startWasm } from "./wasmChain.ts";

describe("on a chain", () => {
  const chain = useChain(() => startWasm({ chainId: "connect-1" }));

  testConnect(chain, {
    respell: (address) => [address.toUpperCase()],
    wrong: wrongAddresses,
    absent: { "a person's account": operator.address, "an address that nobody uses": `0x${"ab".repeat(32)}` },
  });

  test("a REST endpoint is refused", async () => {
    const connecting = connectWasm({ rpcUrl: chain().node.restUrl, address: deployer.address });
    await expect(connecting).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  test("a height from before the contract", async () => {
    const contract = await (await chain().fund()).deploy("ours");
    await expect(contract.getStage(stageOne, { height: 1n })).rejects.toMatchObject({ code: "NODE_ERROR" });
  });

  test("a contract with a first stage above 2^53", async () => {
    const codeId = await storeOnce(chain().node, await codeOf("reference"));
    // A literal, because JSON.stringify would round it.
    const init_stage = (JSON as unknown as { rawJSON(text: string): object }).rawJSON("9007199254740993");
    const message = { allow_list: [deployer.address], init_stage };
    const address = await instantiate(chain().node, deployer, codeId, message);
    const reference = await chain().read(address);
    expect(await reference.getInitStage()).toBe(9_007_199_254_740_993n);
    expect(await reference.getStage(stage(9_007_199_254_740_993n))).toMatchObject({ total: 0n });
  });
});

describe("on a scripted endpoint", () => {
  const address = deployer.address;
  const smart = (value: unknown): Reply =>
    state(QuerySmartContractStateResponse.encode({ data: Buffer.from(JSON.stringify(value)) }).finish());
  /** A contract that has these queries. */
  const queries =
    (answers: Readonly<Record<string, unknown>>): Reply =>
    (asked) => {
      const { queryData } = QuerySmartContractStateRequest.decode(Buffer.from(asked.params.data ?? "", "hex"));
      const [name = ""] = Object.keys(JSON.parse(Buffer.from(queryData).toString()) as object);
      return (name in answers ? smart(answers[name]) : noQuery)(asked);
    };
  const stored = (text: string): Reply =>
    state(QueryRawContractStateResponse.encode({ data: Buffer.from(text) }).finish());
  const noQuery = refused(
    "Error parsing into type vip_score::msgs::QueryMsg: unknown variant `get_contract_version`, expected one of `get_score`: query wasm contract failed: unknown request",
  );
  // recorded on miniwasm
  const status = {
    node_info: {
      protocol_version: { p2p: "8", block: "11", app: "0" },
      id: "baadae1b2a2ebe34a16fb3aedb55c0d421a9c1f5",
      listen_addr: "tcp://127.0.0.1:28658",
      network: "scripted-1",
      version: "0.38.19",
      channels: "4041423038606100",
      moniker: "local",
      other: { tx_index: "on", rpc_address: "tcp://127.0.0.1:28657" },
    },
    sync_info: {
      latest_block_hash: "8AD6861FA5909BA6B9161C79ADDD386699A13F467235C2ACD80D6052DFAD93C2",
      latest_app_hash: "D991DDDF81116B141C73B708A2A4109F4E4AB3E6E98BF7E21FCCFC64BB858726",
      latest_block_height: "5807",
      latest_block_time: "2026-11-21T06:07:17.220628648Z",
      earliest_block_hash: "D5E854B00035C7B0F02E3A13390F49B166EC98A898BE6DB731CE62DD6B38AD9B",
      earliest_app_hash: "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
      earliest_block_height: "1",
      earliest_block_time: "2026-11-21T05:53:15.41463621Z",
      catching_up: false,
    },
    validator_info: {
      address: "322484A04506E48C80A5CB05F9A6C97CBEDFDCEF",
      pub_key: { type: "tendermint/PubKeyEd25519", value: "0kc9RqGc7WGy48xAXTClzjb/xmdrvT4XRDM/h44e22Q=" },
      voting_power: "1",
    },
  };
  const published = { get_stage_info: { stage: 1, total_score: 5, is_finalized: false }, get_scores: { scores: [] } };
  const added = {
    get_init_stage: { init_stage: 1 },
    get_stage: { exists: false, total_score: 0, count: 0, revision: 0, is_finalized: false },
    get_scores_from: { scores: [], next: null },
    get_scores_of: { scores: [] },
    get_ownership: { owner: address, pending_owner: null, finalizer: null, members_can_manage: true },
  };
  const info = QueryContractInfoResponse.fromPartial({ address, contractInfo: { codeId: 1n, label: "x" } });
  const node: Readonly<Record<string, readonly Reply[]>> = {
    status: [result(status)],
    abci_info: [result({ response: { data: "vipnode", last_block_height: "5807" } })],
    "/cosmwasm.wasm.v1.Query/ContractInfo": [state(QueryContractInfoResponse.encode(info).finish())],
    "/cosmwasm.wasm.v1.Query/RawContractState": [stored("1")],
    "/cosmwasm.wasm.v1.Query/SmartContractState": [queries(published)],
  };
  const smartPath = "/cosmwasm.wasm.v1.Query/SmartContractState";
  const connect = async (more: typeof node) => {
    const { url } = await scriptNode({ ...node, ...more });
    return connectWasm({ rpcUrl: url, address, account: deployer });
  };

  test.each<[object, string | undefined]>([
    [{ contract: "acme:scores", version: "2.1.0-acme" }, "2.1.0-acme"],
    [{ version: 7 }, undefined],
    [[], undefined],
  ])("what a contract says of itself, %j, does not decide what it can do", async (said, version) => {
    const reference = { ...published, get_contract_version: said };
    expect(await connect({ [smartPath]: [queries(reference)] })).toMatchObject({ version, features: noFeatures });
    const ours = { ...reference, ...added };
    expect(await connect({ [smartPath]: [queries(ours)] })).toMatchObject({ version, features: allFeatures });
  });

  test.each<[string, Partial<typeof allFeatures>]>([
    ["get_stage", { checkedFinalize: false, packed: false }],
    ["get_init_stage", { packed: false }],
    ["get_scores_from", { packed: false }],
    ["get_scores_of", { packed: false }],
    ["get_ownership", { roles: false }],
  ])("without %s, a contract lacks %j", async (name, lacking) => {
    const { [name]: _, ...rest }: Readonly<Record<string, unknown>> = { ...published, ...added };
    expect((await connect({ [smartPath]: [queries(rest)] })).features).toEqual({ ...allFeatures, ...lacking });
  });

  test.each<[string, typeof node]>([
    ["no first stage is stored", { "/cosmwasm.wasm.v1.Query/RawContractState": [stored("")] }],
    ["the first stage is not a number", { "/cosmwasm.wasm.v1.Query/RawContractState": [stored('"1"')] }],
    ["it has none of the queries", { [smartPath]: [noQuery] }],
    ["a stage is something else", { [smartPath]: [queries({ ...published, get_stage_info: { stage: 1 } })] }],
    ["scores are something else", { [smartPath]: [queries({ ...published, get_scores: { scores: 5 } })] }],
    ["every answer is the same", { [smartPath]: [smart({ init_stage: 1 })] }],
  ])("another contract: %s", async (_, more) => {
    await expect(connect(more)).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });

  test("an endpoint that fails is not an absent contract", async () => {
    await expect(connect({ [smartPath]: [failure("panic")] })).rejects.toMatchObject({ code: "NODE_ERROR" });
    await expect(connect({ [smartPath]: [refused("out of gas: unknown request")] })).rejects.toMatchObject({
      code: "NODE_ERROR",
    });
    const { url } = await script(() => ({ body: "<html>" }));
    await expect(connectWasm({ rpcUrl: url, address })).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  test("after a refused sequence the next one is what the node expects, once", async () => {
    const account = (sequence: bigint): Reply =>
      state(QueryAccountInfoResponse.encode({ info: { address, accountNumber: 3n, sequence } }).finish());
    const log = "account sequence mismatch, expected 9, got 6: incorrect account sequence";
    const contract = await connect({
      "/cosmos.auth.v1beta1.Query/AccountInfo": [account(6n), account(7n)],
      broadcast_tx_sync: [result({ code: 32, codespace: "sdk", data: "", log, hash: "AB".repeat(32) })],
      tx: [failure(`tx (${"AB".repeat(32)}) not found`)],
    });
    // Two transactions are pending at the node; the sequence that it reports does not count them.
    expect(await sequencesAroundRefusal(contract)).toEqual([6n, 9n, 7n]);
  });

  test("a chain's block gas limit bounds a transaction", async () => {
    const limits = async (maxGas: bigint) => {
      const params = QueryParamsResponse.fromPartial({ params: { block: { maxBytes: 22_020_096n, maxGas } } });
      const reply = state(QueryParamsResponse.encode(params).finish());
      return (await (await connect({ "/cosmos.consensus.v1.Query/Params": [reply] })).getLimits()).maxGas;
    };
    expect(await limits(30_000_000n)).toBe(30_000_000n);
    expect(await limits(-1n)).toBe(100_000_000n);
    // A chain that does not report a limit.
    expect((await (await connect({})).getLimits()).maxGas).toBe(100_000_000n);
  });
});
