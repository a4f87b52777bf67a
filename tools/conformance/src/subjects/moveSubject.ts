import { randomBytes } from "node:crypto";
import { Coins, Fee, MnemonicKey, MsgPublish, MsgSend, RawKey, RESTClient, TxAPI, type Msg } from "@initia/initia.js";
import {
  parseAccount,
  stage as stageOf,
  type Account,
  type ScoreContract,
  type SignedTransaction,
} from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { connectMove, deployMove, moveAccount, readMoveChainId } from "@vipscore/move";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { sendTransaction } from "../sendTransaction.ts";
import type { CallResult, DeployedContract, DeployOptions, Role, ScoreEvent, Subject } from "../subject.ts";
import type { SubjectCall } from "../subjectCall.ts";
import { encodeMoveCall, moveHex } from "./moveCalls.ts";
import { accountOfMove, MoveReader } from "./moveReader.ts";
import { compileMoveScripts, type ScriptFor } from "./moveScripts.ts";

/** Enough for a batch of 250 new rows, the largest of the scenarios, several times over. */
const gasLimit = 3_000_000;

/** Accounts funded in one transaction: a module is at its publisher's address, so each contract needs one. */
const accountsAtOnce = 128;

/** Funds per account, in the smallest unit: many times the fees of a scenario on a rollup that charges 0.015. */
const funds = "100000000umin";

interface Chain {
  readonly restUrl: string;
  readonly rest: RESTClient;
  readonly scriptFor: ScriptFor;
  readonly others: Readonly<Record<Exclude<Role, "creator">, RawKey>>;
  /** A key whose account has funds and no module. */
  readonly takeKey: () => Promise<RawKey>;
}

/** A Move chain at an endpoint whose test deployer has funds. */
export async function openMoveSubject(restUrl: string): Promise<Subject> {
  const rest = new RESTClient(restUrl, { chainId: await readMoveChainId({ restUrl }) });
  const keys: RawKey[] = [];
  const takeKey = async (): Promise<RawKey> => {
    if (keys.length === 0) keys.push(...(await fundKeys(rest)));
    const key = keys.pop();
    if (key === undefined) throw new Error("no account was funded");
    return key;
  };
  const others = { alice: await takeKey(), bob: await takeKey(), carol: await takeKey() };
  const chain: Chain = { restUrl, rest, scriptFor: await compileMoveScripts(), others, takeKey };
  return { vm: "move", deploy: (options) => deploy(chain, options) };
}

async function fundKeys(rest: RESTClient): Promise<readonly RawKey[]> {
  const deployer = new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic, coinType: 60, eth: true });
  const keys = Array.from({ length: accountsAtOnce }, () => new RawKey(randomBytes(32), true));
  const msgs = keys.map((key) => new MsgSend(deployer.accAddress, key.accAddress, funds));
  // Ten times the usual price of rollups, so that the price need not be read.
  const tx = await rest.wallet(deployer).createAndSignTx({ msgs, fee: new Fee(20_000_000, "3000000umin") });
  const sent = await rest.tx.broadcast(tx, hangBoundMs);
  if ("code" in sent && sent.code !== 0) throw new Error(`the test accounts were not funded: ${sent.raw_log}`);
  return keys;
}

async function deploy(
  chain: Chain,
  { initStage = 1n, members = [], sealed = false }: DeployOptions = {},
): Promise<DeployedContract> {
  const creator = await chain.takeKey();
  const keys = { ...chain.others, creator };
  const { address } = await deployMove({
    restUrl: chain.restUrl,
    account: moveAccount({ privateKey: creator.privateKey.toString("hex") }),
    initStage: stageOf(initStage),
    members: members.map((role) => accountOfKey(keys[role])),
    upgradePolicy: sealed ? "immutable" : "compatible",
  });
  return new MoveContract(chain, keys, address);
}

interface Signing {
  readonly accountNumber: number;
  readonly fee: Fee;
}

class MoveContract implements DeployedContract {
  readonly vm = "move";
  readonly read: MoveReader;
  readonly #chain: Chain;
  readonly #keys: Readonly<Record<Role, RawKey>>;
  readonly #module: Account;
  readonly #ports = new Map<Role, ScoreContract>();
  readonly #signings = new Map<Role, Promise<Signing>>();

  constructor(chain: Chain, keys: Readonly<Record<Role, RawKey>>, module: Account) {
    this.#chain = chain;
    this.#keys = keys;
    this.#module = module;
    this.read = new MoveReader(chain.rest, module);
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
    const [modules] = await this.#chain.rest.move.modules(this.#module);
    const module = modules.find((one) => one.module_name === "vip_score");
    return module?.upgrade_policy !== MsgPublish.Policy.IMMUTABLE;
  }

  async port(role: Role): Promise<ScoreContract> {
    const account = moveAccount({ privateKey: this.#keys[role].privateKey.toString("hex") });
    const { restUrl } = this.#chain;
    const port = this.#ports.get(role) ?? (await connectMove({ restUrl, address: this.#module, account }));
    this.#ports.set(role, port);
    return port;
  }

  async call(role: Role, call: SubjectCall): Promise<CallResult> {
    return this.send(role, await this.sign(role, call));
  }

  async sign(role: Role, call: SubjectCall, ahead = 0n): Promise<SignedTransaction> {
    const sender = this.#keys[role].accAddress;
    const target = {
      sender,
      senderAccount: this.accountOf(role),
      module: this.#module,
      scriptFor: this.#chain.scriptFor,
    };
    return this.#sign(role, encodeMoveCall(target, call), ahead);
  }

  async send(role: Role, transaction: SignedTransaction): Promise<CallResult> {
    return sendTransaction(await this.port(role), transaction);
  }

  async getScoreEvents(hash: string): Promise<readonly ScoreEvent[]> {
    const { events } = await this.#chain.rest.tx.txInfo(hash);
    const prefix = `${this.#module.replace(/^0x0*/, "0x")}::vip_score::`;
    return events.flatMap(({ type, attributes }): ScoreEvent[] => {
      const values = new Map(attributes.map(({ key, value }) => [key, value]));
      const value = (key: string): string => values.get(key) ?? "";
      if (type !== "move" || !value("type_tag").startsWith(prefix)) return [];
      const name = value("type_tag").slice(prefix.length);
      const stageAndTotal = () => ({ stage: BigInt(value("stage")), total: BigInt(value("total_score")) });
      if (name === "UpdateScoresEvent") return [{ event: "batch", ...stageAndTotal(), count: BigInt(value("count")) }];
      if (name !== "UpdateScoreEvent") return [];
      const row = { account: accountOfMove(value("account")), score: BigInt(value("score")) };
      return [{ event: "row", ...stageAndTotal(), ...row }];
    });
  }

  /** The data that all transactions of an account share; read once. */
  #signing(role: Role, port: ScoreContract): Promise<Signing> {
    const known = this.#signings.get(role) ?? this.#readSigning(role, port);
    this.#signings.set(role, known);
    return known;
  }

  async #readSigning(role: Role, port: ScoreContract): Promise<Signing> {
    const accountNumber = await this.#chain.rest.wallet(this.#keys[role]).accountNumber();
    const { gasPrice, token } = await port.getFees();
    const amount = (BigInt(gasLimit) * gasPrice.amount) / gasPrice.per + 1n;
    return { accountNumber, fee: new Fee(gasLimit, gasPrice.amount === 0n ? new Coins() : `${amount}${token.symbol}`) };
  }

  async #sign(role: Role, message: Msg, ahead: bigint): Promise<SignedTransaction> {
    const { rest } = this.#chain;
    const port = await this.port(role);
    const wallet = rest.wallet(this.#keys[role]);
    const { fee, accountNumber } = await this.#signing(role, port);
    const sequence = (await port.getSequence()) + ahead;
    const tx = await wallet.createAndSignTx({ msgs: [message], sequence: Number(sequence), accountNumber, fee });
    return { hash: TxAPI.hash(tx), sequence, gas: BigInt(gasLimit), bytes: tx.toBytes() };
  }
}

function accountOfKey(key: RawKey): Account {
  return parseAccount(key.accAddress, { accountBytes: [20] });
}
