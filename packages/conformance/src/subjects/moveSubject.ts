import { Coins, MnemonicKey, MsgPublish, MsgSend, RawKey } from "@initia/initia.js";
import {
  parseAccount,
  stage as stageOf,
  type Account,
  type FeeQuote,
  type ScoreContract,
  type SignedTransaction,
} from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { connectMove, moduleAddress, moduleName, moveAccount } from "@vipscore/move";
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
import {
  compareMoveInterface,
  encodeMoveCall,
  moveHex,
  placeAddress,
  type MoveAbi,
  type MoveTarget,
  type ScriptFor,
} from "./moveCalls.ts";
import { accountOfMove, MoveChain, MoveReader } from "./moveChain.ts";
import { compileMoveScripts } from "./moveScripts.ts";

/** Enough for a call, and twice what a row of the reference contract takes. */
const gasLimit = 3_000_000;
const gasOfRow = 9_000;
/** More than the 75 of a byte of a published module. */
const gasOfByte = 100;

/** Accounts funded in one transaction: a module is at its publisher's address, so each contract needs one. */
const accountsAtOnce = 160;
const fundingGas = 20_000_000;

/** Funds per account, in the smallest unit: many times the fees of a scenario on a rollup that charges 0.015. */
const funds = "100000000umin";

interface Setting {
  readonly chain: MoveChain;
  /** The module of scores. */
  readonly abi: MoveAbi;
  readonly scriptFor: ScriptFor;
  /** Returns the modules' code for a publisher, base64. */
  readonly modulesFor: (publisher: Account) => string[];
  readonly publishGas: number;
  readonly others: Readonly<Record<Exclude<Role, "creator">, RawKey>>;
  /** A key whose account has funds and no module. */
  readonly takeKey: () => Promise<RawKey>;
  readonly senders: Map<Role, ScoreContract>;
  /** The price of gas, once it was read. */
  fees?: Promise<FeeQuote>;
}

export async function openMoveSubject(options: OpenSubjectOptions): Promise<Subject> {
  const { url, code, seed } = options;
  const chain = await MoveChain.connect(url);
  const keys: RawKey[] = [];
  const takeKey = async (): Promise<RawKey> => {
    if (keys.length === 0) keys.push(...(await fundKeys(chain, seed)));
    const key = keys.pop();
    if (key === undefined) throw new Error("no account was funded");
    return key;
  };
  const others = { alice: await takeKey(), bob: await takeKey(), carol: await takeKey() };
  const codes = [code.bytes, ...(code.others ?? [])];
  const compiledFor = Buffer.from(moduleAddress(code.bytes));
  const modulesFor = (publisher: Account): string[] => {
    const placed = Buffer.from(moveHex(publisher), "hex");
    return codes.map((one) => placeAddress(one, compiledFor, placed).toString("base64"));
  };
  const publishGas = gasLimit + gasOfByte * codes.reduce((sum, { length }) => sum + length, 0);
  const publish = async (): Promise<readonly MoveAbi[]> => {
    const key = await takeKey();
    const modules = modulesFor(accountOfKey(key));
    await chain.run(key, [new MsgPublish(key.accAddress, modules, MsgPublish.Policy.COMPATIBLE)], publishGas);
    const [published] = await chain.rest.move.modules(key.accAddress);
    return published.map(({ abi }) => JSON.parse(abi) as MoveAbi);
  };
  const refuse = (cause: unknown): never => notDeployed(callsScores(cause) ? gameHints : packageHints)(cause);
  const abis = await publish().catch(refuse);
  const abi = abis.find(({ name }) => name === moduleName) ?? abis[0];
  if (abi === undefined) throw new Error("the publisher has no module");
  const setting: Setting = {
    chain,
    abi,
    scriptFor: await compileMoveScripts(),
    modulesFor,
    publishGas,
    others,
    takeKey,
    senders: new Map(),
  };
  return {
    vm: "move",
    seed,
    warnings: [],
    deploy: (how) => deployMoveSubject(setting, how),
    publish: async () => (await publish()).map(({ name }) => name),
  };
}

const packageHints = [
  "If a module is missing: pass the folder of the package that was built, which is published whole.",
  "Modules of other addresses cannot be published with it, except those that every chain has.",
];

/** Whether the chain lacks the module of scores, which a game calls and a scoring contract is. */
function callsScores(cause: unknown): boolean {
  return cause instanceof Error && /::vip_score doesn't exist/.test(cause.message);
}

const gameHints = [
  "It calls the module vip_score and does not have it: a game, which its own unit tests test.",
  "Pass a scoring contract: a package that has the module vip_score itself.",
];

/** Accounts of the seed. On a chain that was used before, they are others: these have modules already. */
async function fundKeys(chain: MoveChain, seed: number): Promise<readonly RawKey[]> {
  const deployer = new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic, coinType: 60, eth: true });
  const sequence = (await chain.rest.auth.accountInfo(deployer.accAddress)).getSequenceNumber();
  const keys = Array.from(
    { length: accountsAtOnce },
    (_, index) => new RawKey(seededKey(seed, `${sequence} ${index}`), true),
  );
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
  const codes = setting.modulesFor(contract.accountOf("creator"));
  const publish = new MsgPublish(sender, codes, sealed ? IMMUTABLE : COMPATIBLE);
  const msgs = [publish, ...calls.map((call) => encodeMoveCall(contract.targetOf("creator"), call))];
  await setting.chain.run(keys.creator, msgs, setting.publishGas);
  return contract;
}

class MoveContract extends DeployedContract {
  readonly vm = "move";
  readonly read: MoveReader;
  readonly #setting: Setting;
  readonly #keys: Readonly<Record<Role, RawKey>>;
  readonly #module: Account;

  constructor(setting: Setting, keys: Readonly<Record<Role, RawKey>>) {
    super(setting.senders);
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

  async isReplaceable(): Promise<boolean> {
    const [modules] = await this.#setting.chain.rest.move.modules(this.#module);
    const module = modules.find((one) => one.module_name === moduleName);
    return module?.upgrade_policy !== MsgPublish.Policy.IMMUTABLE;
  }

  protected connect(role: Role): Promise<ScoreContract> {
    const account = moveAccount({ privateKey: this.#keys[role].privateKey.toString("hex") });
    return connectMove({ restUrl: this.#setting.chain.restUrl, address: this.#module, account });
  }

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
    const gas = gasLimit + ("rows" in call ? call.rows.length * gasOfRow : 0);
    this.#setting.fees ??= (await this.port(role)).getFees();
    const fee = feeOf(gas, await this.#setting.fees);
    const message = encodeMoveCall(this.targetOf(role), call);
    return this.#setting.chain.sign(this.#keys[role], [message], { gas, fee, ahead });
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
    const prefix = `${this.#module.replace(/^0x0*/, "0x")}::${moduleName}::`;
    return events.flatMap(({ type, attributes }) => {
      const values = new Map(attributes.map(({ key, value }) => [key, value]));
      const tag = values.get("type_tag") ?? "";
      return type === "move" && tag.startsWith(prefix) ? [{ name: tag.slice(prefix.length), values }] : [];
    });
  }

  async getEventNames(hash: string): Promise<readonly string[]> {
    return (await this.#events(hash)).map(({ name }) => name);
  }

  compareInterface(): Promise<readonly string[]> {
    return Promise.resolve(compareMoveInterface(this.#setting.abi));
  }
}

function feeOf(gas: number, { gasPrice, token }: FeeQuote): Coins | string {
  const amount = (BigInt(gas) * gasPrice.amount) / gasPrice.per + 1n;
  return gasPrice.amount === 0n ? new Coins() : `${amount}${token.symbol}`;
}

function accountOfKey(key: RawKey): Account {
  return parseAccount(key.accAddress, { accountBytes: [20] });
}
