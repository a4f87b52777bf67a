import { gzipSync } from "node:zlib";
import { MsgInstantiateContract, MsgStoreCode } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import type { CosmosMessage, UnsignedTransaction } from "@vipscore/cosmos";
import type { WasmAccount } from "@vipscore/wasm";
import { sendTransaction } from "../sendTransaction.ts";
import type { WasmChain } from "./wasmChain.ts";

/** The arguments that a new contract is created with; accounts in bech32. */
interface NewContract {
  readonly initStage: bigint;
  readonly members: readonly string[];
  /** Who may replace the code; empty for nobody. */
  readonly admin: string;
}

/** Gas for storing a module of a megabyte, and for creating a contract with a few members. */
const storeGas = 10_000_000n;
const createGas = 500_000n;

/**
 * Deploys contracts without the client, which stores the code and reads everything back each time: that was half of a run's
 * requests. The tests of `@vipscore/wasm` cover its deployment.
 */
export class WasmDeployer {
  readonly #chain: WasmChain;
  readonly #account: WasmAccount;
  readonly codeId: string;

  private constructor(chain: WasmChain, account: WasmAccount, codeId: string) {
    this.#chain = chain;
    this.#account = account;
    this.codeId = codeId;
  }

  /** Stores the module's code, which all contracts share. */
  static async open(chain: WasmChain, account: WasmAccount, module: Buffer): Promise<WasmDeployer> {
    const wasmByteCode = gzipSync(module);
    const value = MsgStoreCode.encode(MsgStoreCode.fromPartial({ sender: account.address, wasmByteCode })).finish();
    const message = { typeUrl: MsgStoreCode.typeUrl, value };
    const codeId = await runSteps(chain, account, message, { gas: storeGas, event: "store_code", key: "code_id" });
    return new WasmDeployer(chain, account, codeId);
  }

  /** Creates a contract and returns its address. */
  create({ initStage, members, admin }: NewContract): Promise<string> {
    const msg = `{"allow_list":${JSON.stringify(members)},"init_stage":${initStage}}`;
    const value = MsgInstantiateContract.encode({
      sender: this.#account.address,
      admin,
      codeId: BigInt(this.codeId),
      label: "conformance",
      msg: Buffer.from(msg),
      funds: [],
    }).finish();
    const message = { typeUrl: MsgInstantiateContract.typeUrl, value };
    const from = { gas: createGas, event: "instantiate", key: "_contract_address" };
    return runSteps(this.#chain, this.#account, message, from);
  }
}

/** The fee at ten times the usual price of rollups, so that the price need not be read. */
export function sufficientFee(gas: bigint): UnsignedTransaction["fee"] {
  return { denom: "umin", amount: (gas * 15n) / 100n };
}

/** Sends a message that must succeed and returns a value of one of its events. */
async function runSteps(
  chain: WasmChain,
  account: WasmAccount,
  message: CosmosMessage,
  { gas, event, key }: { readonly gas: bigint; readonly event: string; readonly key: string },
): Promise<string> {
  const { hash, outcome, details } = await sendTransaction(
    chain.port,
    await chain.sign(account, message, { gas, fee: sufficientFee(gas) }),
  );
  if (outcome !== "DONE") throw new Error(`${message.typeUrl} failed: ${details}`);
  const found = (await chain.events(hash)).find(({ type }) => type === event);
  const value = found?.values.get(key);
  if (value === undefined) throw new Error(`${hash} has no event ${event} with ${key}`);
  return value;
}
