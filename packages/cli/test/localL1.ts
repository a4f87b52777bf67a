import {
  bcs,
  Fee,
  MnemonicKey,
  MsgExecute,
  MsgGovExecute,
  MsgSubmitProposal,
  RESTClient,
  Wallet,
  type Msg,
  type TxInfo,
} from "@initia/initia.js";
import type { L1Endpoint } from "@vipscore/core/nodeFile";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";
import { outcomeOf } from "./proposalL1.ts";

/** Calls of a local chain that plays Initia's L1. */
export interface L1Calls {
  readonly endpoint: L1Endpoint;
  readonly chainId: string;
  /** Calls an entry function of the module `vip` with arguments in BCS, as the test account `operator`, who is also VIP's agent. */
  readonly call: (name: string, ...args: readonly BcsValue[]) => Promise<void>;
  /** Has governance call an entry function of the module `vip`; rejects with the reason if the proposal fails. */
  readonly govern: (name: string, ...args: readonly BcsValue[]) => Promise<void>;
  /** Registers a rollup by governance; its bridge has the operator's account. */
  readonly register: (bridgeId: bigint, contract: string, vmType: bigint) => Promise<void>;
  /** Submits a snapshot of a bridge, as VIP's agent does, once for each stage. Default version: 1. */
  readonly submit: (bridgeId: bigint, stage: bigint, root: string, total: bigint, version?: bigint) => Promise<void>;
  /** Replaces a snapshot of the registered version by governance. */
  readonly challenge: (bridgeId: bigint, stage: bigint, root: string, total: bigint) => Promise<void>;
}

/** A local chain that plays Initia's L1. */
export interface LocalL1 extends L1Calls, AsyncDisposable {
  readonly rpcUrl: string;
}

interface BcsValue {
  toBase64(): string;
}

export const u64 = (value: bigint): BcsValue => bcs.u64().serialize(value);
export const bcsText = (value: string): BcsValue => bcs.string().serialize(value);
const hex = (value: string): BcsValue => bcs.vector(bcs.u8()).serialize(Buffer.from(value, "hex"));

const governance = "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3";
/** Address 0x1, as which governance acts. */
const standardLibrary = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d";

export async function startL1(): Promise<LocalL1> {
  const node = await startVipnode({ vm: "move", l1: true });
  const { restUrl, rpcUrl, chainId, vipAddress = "" } = node;
  return { ...connectL1({ restUrl, vipAddress }, chainId), rpcUrl, [Symbol.asyncDispose]: () => node.stop() };
}

/** Connects to a running chain that plays L1. */
export function connectL1(endpoint: L1Endpoint, chainId: string): L1Calls {
  const { restUrl, vipAddress } = endpoint;
  const rest = new RESTClient(restUrl, { chainId });
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: testAccounts.operator.mnemonic }));
  const send = async (message: Msg): Promise<TxInfo> => {
    const signed = await wallet.createAndSignTx({ msgs: [message], fee: new Fee(1_000_000, "0umin") });
    const { txhash } = await rest.tx.broadcastSync(signed);
    const found = await until(`transaction ${txhash}`, () => rest.tx.txInfo(txhash).catch(() => undefined));
    if (found.code !== 0) throw new Error(found.raw_log);
    return found;
  };
  const call: L1Calls["call"] = async (name, ...args) => {
    await send(new MsgExecute(wallet.key.accAddress, vipAddress, "vip", name, [], args.map(base64)));
  };
  const govern: L1Calls["govern"] = async (name, ...args) => {
    const message = new MsgGovExecute(governance, standardLibrary, vipAddress, "vip", name, [], args.map(base64));
    const deposit = { umin: 10_000_000 };
    const sent = await send(
      new MsgSubmitProposal([message], deposit, wallet.key.accAddress, "https://forum.example", name, name, false),
    );
    const id = sent.events.flatMap(({ attributes }) => attributes).find(({ key }) => key === "proposal_id")?.value;
    const { status, failed_reason } = await outcomeOf({ endpoint }, Number(id));
    if (status !== "PROPOSAL_STATUS_PASSED") throw new Error(failed_reason);
  };
  const rate = bcs.bigdecimal().serialize("0.1");
  const address = bcs.address().serialize(testAccounts.operator.address);
  return {
    endpoint,
    chainId,
    call,
    govern,
    register: (bridgeId, contract, vmType) =>
      govern("register", address, u64(bridgeId), address, bcsText(contract), rate, rate, rate, u64(vmType)),
    submit: (bridgeId, stage, root, total, version = 1n) =>
      call("submit_snapshot", u64(bridgeId), u64(version), u64(stage), hex(root), u64(total)),
    challenge: (bridgeId, stage, root, total) => {
      const [id, agent] = [u64(BigInt(Date.now())), address];
      const texts = ["Challenge", "", "https://agent.example"].map(bcsText);
      return govern("execute_challenge", u64(bridgeId), u64(stage), id, ...texts, agent, hex(root), u64(total));
    },
  };
}

const base64 = (value: BcsValue): string => value.toBase64();

/** Makes a stage the current one; it ends at a time in unix seconds, which has passed by default. */
export const setStage = (l1: L1Calls, stage: bigint, endsAt = 1n): Promise<void> =>
  l1.call("set_stage", u64(stage), u64(0n), u64(endsAt));
