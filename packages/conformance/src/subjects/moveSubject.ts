import { randomBytes } from "node:crypto";
import { Coins, MnemonicKey, MsgExecute, MsgPublish, MsgSend, RawKey, type Msg } from "@initia/initia.js";
import {
  parseAccount,
  stage as stageOf,
  type Account,
  type ScoreContract,
  type SignedTransaction,
} from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { connectMove, moduleAddress, moveAccount } from "@vipscore/move";
import type { RandomValues } from "../seededRandom.ts";
import { sendTransaction } from "../sendTransaction.ts";
import {
  NoSuchCall,
  type CallResult,
  type DeployedContract,
  type DeployOptions,
  type OpenSubjectOptions,
  type Role,
  type ScoreEvent,
  type Subject,
  type SubjectCall,
} from "../subject.ts";
import {
  compareMoveInterface,
  compileMoveScripts,
  encodeMoveCall,
  moveArgument,
  moveHex,
  placeAddress,
  type MoveAbi,
  type MoveTarget,
  type ScriptFor,
} from "./moveCalls.ts";
import { accountOfMove, changedEntries, MoveChain, MoveReader } from "./moveChain.ts";

/** Enough to publish, and for a batch of 250 new rows, the largest of the scenarios, several times over. */
const gasLimit = 3_000_000;

/** Accounts funded in one transaction: a module is at its publisher's address, so each contract needs one. */
const accountsAtOnce = 160;
const fundingGas = 20_000_000;

/** Funds per account, in the smallest unit: many times the fees of a scenario on a rollup that charges 0.015. */
const funds = "100000000umin";

interface Setting {
  readonly chain: MoveChain;
  readonly scriptFor: ScriptFor;
  /** Returns the module's code for a publisher. */
  readonly moduleFor: (publisher: Account) => Buffer;
  readonly others: Readonly<Record<Exclude<Role, "creator">, RawKey>>;
  /** A key whose account has funds and no module. */
  readonly takeKey: () => Promise<RawKey>;
  /** A port that has sent a transaction: which contract and which signer it is for does not matter. */
  sender?: ScoreContract;
  /** The fee of every call, once it was read. */
  fee?: Promise<Coins | string>;
}

/** A Move chain. */
export async function openMoveSubject({ url, code, seed }: OpenSubjectOptions): Promise<Subject> {
  const chain = await MoveChain.connect(url);
  const keys: RawKey[] = [];
  const takeKey = async (): Promise<RawKey> => {
    if (keys.length === 0) keys.push(...(await fundKeys(chain)));
    const key = keys.pop();
    if (key === undefined) throw new Error("no account was funded");
    return key;
  };
  const others = { alice: await takeKey(), bob: await takeKey(), carol: await takeKey() };
  const scriptFor = await compileMoveScripts();
  const compiledFor = Buffer.from(moduleAddress(code.bytes));
  const moduleFor = (publisher: Account): Buffer => placeAddress(code.bytes, compiledFor, hexBytes(moveHex(publisher)));
  const setting: Setting = { chain, scriptFor, moduleFor, others, takeKey };
  return {
    vm: "move",
    seed,
    showsStorage: true,
    deploy: (options) => deployMoveSubject(setting, options),
    publish: () => publishAlone(setting),
  };
}

async function publishAlone({ chain, moduleFor, takeKey }: Setting): Promise<readonly string[]> {
  const key = await takeKey();
  const code = moduleFor(accountOfKey(key)).toString("base64");
  await chain.run(key, [new MsgPublish(key.accAddress, [code], MsgPublish.Policy.COMPATIBLE)], gasLimit);
  const [modules] = await chain.rest.move.modules(key.accAddress);
  return modules.map(({ module_name: name }) => name);
}

async function fundKeys(chain: MoveChain): Promise<readonly RawKey[]> {
  const deployer = new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic, coinType: 60, eth: true });
  const keys = Array.from({ length: accountsAtOnce }, () => new RawKey(randomBytes(32), true));
  const msgs = keys.map((key) => new MsgSend(deployer.accAddress, key.accAddress, funds));
  await chain.run(deployer, msgs, fundingGas);
  return keys;
}

/**
 * Publishes a module and sets it up in one transaction, without the client, which reads everything back and asks for the newest
 * height 20 times. The tests of `@vipscore/move` cover its deployment.
 */
async function deployMoveSubject(
  setting: Setting,
  { initStage = 1n, members = [], sealed = false }: DeployOptions = {},
): Promise<DeployedContract> {
  const keys = { ...setting.others, creator: await setting.takeKey() };
  const { accAddress: sender } = keys.creator;
  const { COMPATIBLE, IMMUTABLE } = MsgPublish.Policy;
  const contract = new MoveContract(setting, keys);
  const calls: readonly SubjectCall[] = [
    { kind: "addMember", account: contract.accountOf("creator") },
    ...members.map((role) => ({ kind: "addMember", account: contract.accountOf(role) }) as const),
    { kind: "setInitStage", stage: stageOf(initStage) },
  ];
  const code = setting.moduleFor(contract.accountOf("creator")).toString("base64");
  const publish = new MsgPublish(sender, [code], sealed ? IMMUTABLE : COMPATIBLE);
  const msgs = [publish, ...calls.map((call) => encodeMoveCall(contract.targetOf("creator"), call))];
  await setting.chain.run(keys.creator, msgs, gasLimit);
  return contract;
}

class MoveContract implements DeployedContract {
  readonly vm = "move";
  readonly read: MoveReader;
  readonly #setting: Setting;
  readonly #keys: Readonly<Record<Role, RawKey>>;
  readonly #module: Account;
  readonly #ports = new Map<Role, ScoreContract>();

  constructor(setting: Setting, keys: Readonly<Record<Role, RawKey>>) {
    this.#setting = setting;
    this.#keys = keys;
    this.#module = accountOfKey(keys.creator);
    this.read = new MoveReader(setting.chain.rest, this.#module);
  }

  accountOf(role: Role): Account {
    return accountOfKey(this.#keys[role]);
  }

  spell(account: Account): string {
    return moveHex(account);
  }

  readonly junkAddresses = ["", "ab".repeat(20), "ab".repeat(31), "ab".repeat(33)];

  otherSpellings(): readonly string[] {
    return [];
  }

  async isReplaceable(): Promise<boolean> {
    const [modules] = await this.#setting.chain.rest.move.modules(this.#module);
    const module = modules.find((one) => one.module_name === "vip_score");
    return module?.upgrade_policy !== MsgPublish.Policy.IMMUTABLE;
  }

  async port(role: Role): Promise<ScoreContract> {
    const account = moveAccount({ privateKey: this.#keys[role].privateKey.toString("hex") });
    const { restUrl } = this.#setting.chain;
    const port = this.#ports.get(role) ?? (await connectMove({ restUrl, address: this.#module, account }));
    this.#ports.set(role, port);
    return port;
  }

  async call(role: Role, call: SubjectCall): Promise<CallResult> {
    return this.send(role, await this.sign(role, call));
  }

  /** Returns the target that an encoded call of a role needs. */
  targetOf(role: Role): MoveTarget {
    const { scriptFor } = this.#setting;
    return {
      sender: this.#keys[role].accAddress,
      senderAccount: this.accountOf(role),
      module: this.#module,
      scriptFor,
    };
  }

  async sign(role: Role, call: SubjectCall, ahead = 0n): Promise<SignedTransaction> {
    return this.#signMessage(role, encodeMoveCall(this.targetOf(role), call), ahead);
  }

  async #signMessage(role: Role, message: Msg, ahead = 0n): Promise<SignedTransaction> {
    this.#setting.fee ??= this.#readFee(role);
    const fee = await this.#setting.fee;
    return this.#setting.chain.sign(this.#keys[role], [message], { gas: gasLimit, fee, ahead });
  }

  async #readFee(role: Role): Promise<Coins | string> {
    const { gasPrice, token } = await (await this.port(role)).getFees();
    const amount = (BigInt(gasLimit) * gasPrice.amount) / gasPrice.per + 1n;
    return gasPrice.amount === 0n ? new Coins() : `${amount}${token.symbol}`;
  }

  async send(role: Role, transaction: SignedTransaction): Promise<CallResult> {
    this.#setting.sender ??= await this.port(role);
    return sendTransaction(this.#setting.sender, transaction);
  }

  async getScoreEvents(hash: string): Promise<readonly ScoreEvent[]> {
    return (await this.#events(hash)).flatMap(({ name, values }): ScoreEvent[] => {
      const value = (key: string): string => values.get(key) ?? "";
      const stageAndTotal = () => ({ stage: BigInt(value("stage")), total: BigInt(value("total_score")) });
      if (name === "UpdateScoresEvent") return [{ event: "batch", ...stageAndTotal(), count: BigInt(value("count")) }];
      if (name !== "UpdateScoreEvent") return [];
      const row = { account: accountOfMove(value("account")), score: BigInt(value("score")) };
      return [{ event: "row", ...stageAndTotal(), ...row }];
    });
  }

  async #events(hash: string) {
    const { events } = await this.#setting.chain.rest.tx.txInfo(hash);
    const prefix = `${this.#module.replace(/^0x0*/, "0x")}::vip_score::`;
    return events.flatMap(({ type, attributes }) => {
      const values = new Map(attributes.map(({ key, value }) => [key, value]));
      const tag = values.get("type_tag") ?? "";
      return type === "move" && tag.startsWith(prefix) ? [{ name: tag.slice(prefix.length), values }] : [];
    });
  }

  async getEventNames(hash: string): Promise<readonly string[]> {
    return (await this.#events(hash)).map(({ name }) => name);
  }

  async #abi(): Promise<MoveAbi> {
    const [modules] = await this.#setting.chain.rest.move.modules(this.#module);
    const module = modules.find(({ module_name: name }) => name === "vip_score");
    return JSON.parse(module?.abi ?? "") as MoveAbi;
  }

  async compareInterface(): Promise<readonly string[]> {
    return compareMoveInterface(await this.#abi());
  }

  async entryPoints(): Promise<readonly string[]> {
    const functions = (await this.#abi()).exposed_functions;
    return functions.filter(({ name, is_entry: isEntry }) => isEntry || name in scripted).map(({ name }) => name);
  }

  changesInStorage(stage: bigint, hash: string): Promise<readonly string[]> {
    return changedEntries(this.#setting.chain, { owner: this.#keys.creator.accAddress, stage, hash });
  }

  async callAtRandom(role: Role, name: string, values: RandomValues) {
    const found = (await this.#abi()).exposed_functions.find((one) => one.name === name);
    if (found === undefined) throw new NoSuchCall("Move", name);
    const kind = scripted[name];
    const [account, stage, amount] = [values.account(), values.number(64), values.number(64)];
    const args = found.params.filter((type) => type !== "&signer" && type !== "signer");
    const encoded = args.map((type) => moveArgument(type.replaceAll(" ", ""), values).toString("base64"));
    const { sender, module } = this.targetOf(role);
    const message =
      kind === undefined
        ? new MsgExecute(sender, module, "vip_score", name, [], encoded)
        : encodeMoveCall(this.targetOf(role), { kind, account, stage, amount });
    const sent = kind === undefined ? `${name}(${encoded.join(", ")})` : `${name}(${account}, ${stage}, ${amount})`;
    return { ...(await this.send(role, await this.#signMessage(role, message))), sent };
  }
}

/** A script reaches the functions that are public and not entry functions. */
const scripted: Readonly<Record<string, "updateScore" | "increaseScore" | "decreaseScore">> = {
  update_score: "updateScore",
  increase_score: "increaseScore",
  decrease_score: "decreaseScore",
};

function accountOfKey(key: RawKey): Account {
  return parseAccount(key.accAddress, { accountBytes: [20] });
}

function hexBytes(digits: string): Buffer {
  return Buffer.from(digits, "hex");
}
