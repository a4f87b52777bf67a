import { bcs, Fee, MnemonicKey, MsgExecute, RESTClient, Wallet } from "@initia/initia.js";
import type { L1Endpoint } from "@vipscore/core/nodeFile";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";

/** Calls of a local chain that plays Initia's L1. */
export interface L1Calls {
  readonly endpoint: L1Endpoint;
  readonly chainId: string;
  /** Calls an entry function of the module `vip` with arguments in BCS. */
  readonly call: (name: string, ...args: readonly BcsValue[]) => Promise<void>;
  /** Registers a rollup as a proposal does. */
  readonly register: (bridgeId: bigint, contract: string, vmType: bigint) => Promise<void>;
  /** Submits a snapshot of version 1 of a bridge, as VIP's agent does; a second one replaces the first. */
  readonly submit: (bridgeId: bigint, stage: bigint, root: string, total: bigint) => Promise<void>;
}

/** A local chain that plays Initia's L1. */
export interface LocalL1 extends L1Calls, AsyncDisposable {
  readonly rpcUrl: string;
}

interface BcsValue {
  toBase64(): string;
}

const u64 = (value: bigint): BcsValue => bcs.u64().serialize(value);

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
  const call: L1Calls["call"] = async (name, ...args) => {
    const texts = args.map((value) => value.toBase64());
    const message = new MsgExecute(wallet.key.accAddress, vipAddress, "vip", name, [], texts);
    const signed = await wallet.createAndSignTx({ msgs: [message], fee: new Fee(1_000_000, "0umin") });
    const { txhash } = await rest.tx.broadcastSync(signed);
    const found = await until(`transaction ${txhash}`, () => rest.tx.txInfo(txhash).catch(() => undefined));
    if (found.code !== 0) throw new Error(found.raw_log);
  };
  const rate = bcs.bigdecimal().serialize("0.1");
  const address = bcs.address().serialize(testAccounts.operator.address);
  return {
    endpoint,
    chainId,
    call,
    register: (bridgeId, contract, vmType) =>
      call(
        "register",
        address,
        u64(bridgeId),
        address,
        bcs.string().serialize(contract),
        rate,
        rate,
        rate,
        u64(vmType),
      ),
    submit: (bridgeId, stage, root, total) => {
      const bytes = bcs.vector(bcs.u8()).serialize(Buffer.from(root, "hex"));
      return call("submit_snapshot", u64(bridgeId), u64(1n), u64(stage), bytes, u64(total));
    },
  };
}

/** Makes a stage the current one; it ends at a time in unix seconds, which has passed by default. */
export const setStage = (l1: L1Calls, stage: bigint, endsAt = 1n): Promise<void> =>
  l1.call("set_stage", u64(stage), u64(0n), u64(endsAt));
