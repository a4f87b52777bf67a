import { bcs } from "@initia/initia.js";
import { startVipnode } from "@vipscore/localnet";
import { callL1, type BcsValue } from "@vipscore/testkit/callL1";

/** A local chain that imitates Initia's L1. */
export interface LocalL1 extends AsyncDisposable {
  readonly restUrl: string;
  readonly rpcUrl: string;
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  /** Calls an entry function of the module `vip` as the test account `operator`; see `callL1`. */
  readonly call: (name: string, ...values: readonly L1Argument[]) => Promise<void>;
  /** Has governance call an entry function of the module `vip`; see `callL1`. */
  readonly govern: (name: string, ...values: readonly L1Argument[]) => Promise<void>;
}

/** An argument of an entry function: a u64, a text, bytes, or one that is in BCS already. */
export type L1Argument = bigint | string | Uint8Array | BcsValue;

/** An address as an argument. */
export const address = (text: string): L1Argument => bcs.address().serialize(text);

/** A decimal number as an argument. */
export const decimal = (text: string): L1Argument => bcs.bigdecimal().serialize(text);

function encode(value: L1Argument): BcsValue {
  if (typeof value === "bigint") return bcs.u64().serialize(value);
  if (typeof value === "string") return bcs.string().serialize(value);
  return value instanceof Uint8Array ? bcs.vector(bcs.u8()).serialize(value) : value;
}

export async function startL1(): Promise<LocalL1> {
  const node = await startVipnode({ vm: "move", l1: true });
  const { restUrl, rpcUrl, chainId, vipAddress } = node;
  if (vipAddress === undefined) throw new Error("the chain did not print the address of its module vip");
  const { call, govern } = callL1({ restUrl, chainId, vipAddress });
  return {
    restUrl,
    rpcUrl,
    chainId,
    vipAddress,
    call: (name, ...values) => call(name, ...values.map(encode)),
    govern: (name, ...values) => govern(name, ...values.map(encode)),
    [Symbol.asyncDispose]: () => node.stop(),
  };
}
