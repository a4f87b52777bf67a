import { gzipSync } from "node:zlib";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { MsgExecuteContract, MsgInstantiateContract, MsgStoreCode } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import {
  formatBech32,
  stage as stageOf,
  type Account,
  type ScoreContract,
  type SignedTransaction,
} from "@vipscore/core";
import type { CosmosMessage, UnsignedTransaction } from "@vipscore/cosmos";
import { testAccounts } from "@vipscore/localnet";
import { connectWasm, overflowWarning, wasmAccount, type WasmAccount } from "@vipscore/wasm";
import { expect } from "../expect.ts";
import { sendTransaction } from "../sendTransaction.ts";
import {
  DeployedContract,
  notDeployed,
  seededKey,
  type DeployOptions,
  type OpenSubjectOptions,
  type Role,
  type ScoreEvent,
  type Subject,
  type SubjectCall,
} from "../subject.ts";
import { accountOfAddress, WasmChain, WasmReader } from "./wasmChain.ts";
import { isUnknownMessage, publishedMessages, publishedQueries, wasmMessage } from "./wasmInterface.ts";

/** Enough for a batch of 250 new rows several times over. */
const gasLimit = 20_000_000n;

const fundingGas = 200_000n;
/** For storing a module of a megabyte, and for creating a contract with a few members. */
const storeGas = 10_000_000n;
const createGas = 500_000n;

/** Funds per account: many times the fees of all scenarios on a rollup that charges 0.015. */
const fundsOfAccount = { denom: "umin", amount: "1000000000" };

interface Setting {
  readonly rpcUrl: string;
  readonly chain: WasmChain;
  readonly accounts: Readonly<Record<Role, WasmAccount>>;
  /** Of the stored code, which all contracts share. */
  readonly codeId: string;
  readonly senders: Map<Role, ScoreContract>;
  /** The fee of every call, once it was read; undefined if the chain charges nothing. */
  fee?: Promise<UnsignedTransaction["fee"]>;
}

export async function openWasmSubject(options: OpenSubjectOptions): Promise<Subject> {
  const { url: rpcUrl, code, seed } = options;
  const chain = await WasmChain.connect(rpcUrl);
  const accounts = await fundAccounts(chain, seed);
  const codeId = await storeCode(chain, accounts.creator, code.bytes).catch(notDeployed());
  const setting: Setting = { rpcUrl, chain, accounts, codeId, senders: new Map() };
  await newContract(setting, {}).catch(notDeployed(gameHints));
  return {
    vm: "wasm",
    seed,
    warnings: [overflowWarning(code.bytes) ?? []].flat(),
    deploy: async (how = {}) => new WasmContract(setting, await newContract(setting, how)),
  };
}

const gameHints = [
  "A scoring contract is instantiated with allow_list and init_stage.",
  "A game, which calls one, is tested by its own tests: pass the scoring contract.",
];

/** Accounts of the seed, so that no contract can know them, with both kinds of keys. */
async function fundAccounts(chain: WasmChain, seed: number): Promise<Setting["accounts"]> {
  const deployer = wasmAccount({ mnemonic: testAccounts.deployer.mnemonic });
  const account = (role: Role, coinType: 60 | 118 = 60): WasmAccount =>
    wasmAccount({ privateKey: seededKey(seed, role).toString("hex"), coinType });
  const accounts = {
    creator: account("creator"),
    alice: account("alice"),
    bob: account("bob", 118),
    carol: account("carol"),
  };
  for (const { address: toAddress } of Object.values(accounts)) {
    const value = MsgSend.encode({ fromAddress: deployer.address, toAddress, amount: [fundsOfAccount] }).finish();
    const price = { gas: fundingGas, fee: sufficientFee(fundingGas) };
    const sent = await sendTransaction(
      chain.port,
      await chain.sign(deployer, { typeUrl: MsgSend.typeUrl, value }, price),
    );
    if (sent.outcome !== "DONE") throw new Error(`the test accounts were not funded: ${sent.details}`);
  }
  return accounts;
}

function storeCode(chain: WasmChain, account: WasmAccount, module: Buffer): Promise<string> {
  const message = MsgStoreCode.fromPartial({ sender: account.address, wasmByteCode: gzipSync(module) });
  const value = MsgStoreCode.encode(message).finish();
  const wanted = { gas: storeGas, event: "store_code", key: "code_id" };
  return run(chain, account, { typeUrl: MsgStoreCode.typeUrl, value }, wanted);
}

/**
 * Creates a contract and returns its address, without the client, which stores the code and reads everything back each time: that
 * was half of a run's requests. The tests of `@vipscore/wasm` cover its deployment.
 */
function newContract(
  { chain, accounts, codeId }: Setting,
  { initStage = 1n, members = [], sealed = false }: DeployOptions,
): Promise<string> {
  const { address: sender } = accounts.creator;
  const list = (["creator", ...members] as const).map((role) => accounts[role].address);
  const msg = Buffer.from(`{"allow_list":${JSON.stringify(list)},"init_stage":${stageOf(initStage)}}`);
  const admin = sealed ? "" : sender;
  const message = { sender, admin, codeId: BigInt(codeId), label: "conformance", msg, funds: [] };
  const value = MsgInstantiateContract.encode(message).finish();
  const wanted = { gas: createGas, event: "instantiate", key: "_contract_address" };
  return run(chain, accounts.creator, { typeUrl: MsgInstantiateContract.typeUrl, value }, wanted);
}

/** The fee at ten times the usual price of rollups, so that the price need not be read. */
function sufficientFee(gas: bigint): UnsignedTransaction["fee"] {
  return { denom: "umin", amount: (gas * 15n) / 100n };
}

/** Sends a message that must succeed and returns a value of one of its events. */
async function run(
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

class WasmContract extends DeployedContract {
  readonly vm = "wasm";
  readonly read: WasmReader;
  readonly #setting: Setting;
  readonly #address: string;

  constructor(setting: Setting, address: string) {
    super(setting.senders);
    this.#setting = setting;
    this.#address = address;
    this.read = new WasmReader(setting.chain, address);
  }

  accountOf(role: Role): Account {
    return this.#setting.accounts[role].account;
  }

  spell(account: Account): string {
    return formatBech32(account);
  }

  get junkAddresses(): readonly string[] {
    const address = formatBech32(this.accountOf("creator"));
    const wrongChecksum = address.slice(0, -1) + (address.endsWith("q") ? "p" : "q");
    const otherChain = formatBech32(this.accountOf("creator"), "cosmos");
    const mixedCase = `INIT1${address.slice(5)}`;
    return ["", "no address", "init1", wrongChecksum, otherChain, mixedCase, ` ${address}`, this.accountOf("creator")];
  }

  async isReplaceable(): Promise<boolean> {
    return (await this.#setting.chain.adminOf(this.#address)) !== "";
  }

  protected connect(role: Role): Promise<ScoreContract> {
    const { rpcUrl, accounts } = this.#setting;
    return connectWasm({ rpcUrl, address: this.#address, account: accounts[role] });
  }

  async sign(role: Role, call: SubjectCall, ahead = 0n): Promise<SignedTransaction> {
    return this.#signMessage(role, wasmMessage(call), ahead);
  }

  async #signMessage(role: Role, message: string, ahead = 0n): Promise<SignedTransaction> {
    const { chain, accounts } = this.#setting;
    const { address: sender } = accounts[role];
    const msg = Buffer.from(message);
    const value = MsgExecuteContract.encode({ sender, contract: this.#address, msg, funds: [] }).finish();
    this.#setting.fee ??= this.#readFee(role);
    const price = { gas: gasLimit, fee: await this.#setting.fee, ahead };
    return chain.sign(accounts[role], { typeUrl: MsgExecuteContract.typeUrl, value }, price);
  }

  async #readFee(role: Role): Promise<UnsignedTransaction["fee"]> {
    const { gasPrice, token } = await (await this.port(role)).getFees();
    const amount = (gasLimit * gasPrice.amount) / gasPrice.per + 1n;
    return gasPrice.amount === 0n ? undefined : { denom: token.symbol, amount };
  }

  async getScoreEvents(hash: string): Promise<readonly ScoreEvent[]> {
    return (await this.#events(hash)).flatMap(({ type, values }): ScoreEvent[] => {
      const number = (key: string): bigint => BigInt(values.get(key) ?? "");
      const stageAndTotal = () => ({ stage: number("stage"), total: number("total_score") });
      if (type === "wasm-update-scores-packed") return [{ event: "batch", ...stageAndTotal(), count: number("count") }];
      if (type !== "wasm-update-score") return [];
      const row = { account: accountOfAddress(values.get("addr") ?? ""), score: number("score") };
      return [{ event: "row", ...stageAndTotal(), ...row }];
    });
  }

  async #events(hash: string) {
    const events = await this.#setting.chain.events(hash);
    return events.filter(({ values }) => values.get("_contract_address") === this.#address);
  }

  async getEventNames(hash: string): Promise<readonly string[]> {
    return (await this.#events(hash)).flatMap(({ type }) => (type.startsWith("wasm-") ? [type.slice(5)] : []));
  }

  async compareInterface(): Promise<readonly string[]> {
    const account = this.accountOf("alice");
    const faults: string[] = [];
    // Before any call: the client refuses to connect to a contract that does not answer this as published.
    await this.#compareAnswer(faults, '{"get_stage_info":{"stage":1}}', emptyStage);
    if (faults.length > 0) return faults;
    await this.call("creator", { kind: "updateScores", stage: 1n, rows: [{ account, score: 1n }] });
    for (const [query, answer] of publishedQueries(account)) {
      await this.#compareAnswer(faults, query, answer);
    }
    for (const message of publishedMessages(account)) {
      const { details } = await this.send("creator", await this.#signMessage("creator", message));
      if (isUnknownMessage(details)) faults.push(`message ${message}: ${details}`);
    }
    return faults;
  }

  async #compareAnswer(faults: string[], query: string, answer: object): Promise<void> {
    try {
      expect(await this.#setting.chain.query(this.#address, query)).toMatchObject(answer);
    } catch (error) {
      faults.push(`query ${query}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

const emptyStage = { stage: 1n, total_score: 0n, is_finalized: false };
