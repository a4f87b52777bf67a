import {
  encodeDeployData,
  encodeFunctionData,
  parseEventLogs,
  toHex,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
  type LocalAccount,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { stage as stageOf, type Account, type ScoreContract, type SignedTransaction } from "@vipscore/core";
import { connectEvm, errorsOf, vipScoreAbi } from "@vipscore/evm";
import { testAccounts } from "@vipscore/localnet";
import type { CallResult } from "../sendTransaction.ts";
import {
  DeployedContract,
  notDeployed,
  seededKey,
  type DeployOptions,
  type OpenSubjectOptions,
  type Role,
  type Row,
  type ScoreEvent,
  type Subject,
  type SubjectCall,
} from "../subject.ts";
import { compareEvmInterface, encodeEvmCall } from "./evmCalls.ts";
import { EvmChain, EvmReader, toAccount } from "./evmChain.ts";

const abi = vipScoreAbi;

/** Below the cap of one transaction since Osaka, 2^24, which Hardhat applies. */
const gasLimit = 16_000_000n;

/** On minievm the fee token is an ERC-20, and a transfer takes more than 100,000 gas. */
const transferGas = 300_000n;

interface Setting {
  readonly chain: EvmChain;
  readonly accounts: Readonly<Record<Role, LocalAccount>>;
  readonly bytecode: Hex;
  /** The interface of the contract under test. */
  readonly itsAbi: Abi;
  readonly senders: Map<Role, ScoreContract>;
  /** True if the node may be minievm, which shows a block before its state. */
  readonly mayBeMinievm: boolean;
  /** False for a node that returns no revert data: its failures have no reason. */
  readonly reportsReasons: boolean;
}

/** An EVM chain. On minievm the first call that must fail shows whether the node gives reasons. */
export async function openEvmSubject(options: OpenSubjectOptions): Promise<Subject> {
  const { url, code, seed, mayBeMinievm = false } = options;
  const chain = await EvmChain.connect(url);
  const accounts = await fundAccounts(chain, seed);
  const bytecode: Hex = `0x${code.bytes.toString("hex")}`;
  const setting = { chain, accounts, bytecode, itsAbi: code.abi, senders: new Map(), mayBeMinievm };
  const all = { ...setting, reportsReasons: true };
  const first = new EvmContract(all, await createContract(all, 1n).catch(notDeployed()));
  const reportsReasons = !mayBeMinievm || (await findReasons(first));
  return { vm: "evm", seed, warnings: [], deploy: (of) => deployEvmSubject({ ...setting, reportsReasons }, of) };
}

/** Accounts of the seed, so that no contract can know them. */
async function fundAccounts(chain: EvmChain, seed: number): Promise<Setting["accounts"]> {
  const deployer = privateKeyToAccount(testAccounts.deployer.privateKey);
  const account = (role: Role): LocalAccount => privateKeyToAccount(toHex(seededKey(seed, role)));
  const [creator, alice, bob, carol] = [account("creator"), account("alice"), account("bob"), account("carol")];
  // The creator pays for the deployments; the deployer keeps most for other runs.
  const value = (await chain.client.getBalance({ address: deployer.address })) / 100n;
  await chain.run(deployer, { to: creator.address, value: 10n * value, gas: transferGas });
  for (const { address: to } of [alice, bob, carol]) await chain.run(deployer, { to, value, gas: transferGas });
  return { creator, alice, bob, carol };
}

async function findReasons(contract: EvmContract): Promise<boolean> {
  const { outcome } = await contract.call("creator", { kind: "finalizeStage", stage: 9n });
  return outcome === "STAGE_NOT_FOUND";
}

/**
 * Deploys without the client, which reads everything back and asks for the newest height 20 times: half of all requests. The
 * tests of `@vipscore/evm` cover its deployment.
 */
async function deployEvmSubject(
  setting: Setting,
  { initStage = 1n, members = [] }: DeployOptions = {},
): Promise<DeployedContract> {
  const contract = new EvmContract(setting, await createContract(setting, initStage));
  for (const role of members) {
    const { outcome } = await contract.call("creator", { kind: "addMember", account: contract.accountOf(role) });
    if (outcome !== "DONE") throw new Error(`${role} did not become a member: ${outcome}`);
  }
  return contract;
}

function createContract({ chain, accounts, bytecode }: Setting, initStage: bigint) {
  const data = encodeDeployData({ abi, bytecode, args: [stageOf(initStage)] });
  return chain.create(accounts.creator, { data, gas: gasLimit });
}

class EvmContract extends DeployedContract {
  readonly vm = "evm";
  readonly read: EvmReader;
  readonly #setting: Setting;
  readonly #address: Address;

  constructor(setting: Setting, address: Address) {
    super(setting.senders);
    this.#setting = setting;
    this.#address = address;
    this.read = new EvmReader(setting.chain.client, address);
  }

  accountOf(role: Role): Account {
    return toAccount(this.#setting.accounts[role].address);
  }

  spell(account: Account): string {
    return account;
  }

  readonly junkAddresses = [`01${"ab".repeat(20)}`, "ff".repeat(32)];

  isReplaceable(): Promise<boolean> {
    // The contract is not a proxy, so nobody can replace its code.
    return Promise.resolve(false);
  }

  protected connect(role: Role): Promise<ScoreContract> {
    const { chain, accounts, itsAbi } = this.#setting;
    const errors = errorsOf(itsAbi);
    return connectEvm({ rpcUrl: chain.rpcUrl, address: this.#address, account: accounts[role], errors });
  }

  async sign(role: Role, call: SubjectCall, ahead = 0n): Promise<SignedTransaction> {
    const data = await encodeEvmCall(call, (rows) => this.#idsOf(rows));
    return this.#signData(role, data, ahead);
  }

  #signData(role: Role, data: Hex, ahead = 0n): Promise<SignedTransaction> {
    const { chain, accounts } = this.#setting;
    return chain.sign(accounts[role], { to: this.#address, data, gas: gasLimit, ahead });
  }

  override async send(role: Role, transaction: SignedTransaction): Promise<CallResult> {
    const { mayBeMinievm, reportsReasons } = this.#setting;
    const result = await super.send(role, transaction);
    // A port waits for the state of the blocks that it has seen.
    if (mayBeMinievm) await (await this.sender(role)).getHeight();
    if (result.outcome === "DONE" || reportsReasons) return result;
    return { ...result, outcome: "NO_REASON" };
  }

  async getScoreEvents(hash: string): Promise<readonly ScoreEvent[]> {
    const { logs } = await this.#setting.chain.client.getTransactionReceipt({ hash: hash as Hex });
    return parseEventLogs({ abi, logs }).flatMap((log): ScoreEvent[] => {
      if (log.eventName === "UpdateScore") {
        const { addr, stage, score, totalScore } = log.args;
        return [{ event: "row", stage, account: toAccount(addr), score, total: totalScore }];
      }
      if (log.eventName !== "UpdateScoresPacked") return [];
      const { stage, count, totalScore } = log.args;
      return [{ event: "batch", stage, count, total: totalScore }];
    });
  }

  async getEventNames(hash: string): Promise<readonly string[]> {
    const { logs } = await this.#setting.chain.client.getTransactionReceipt({ hash: hash as Hex });
    return parseEventLogs({ abi, logs }).map(({ eventName }) => eventName);
  }

  compareInterface(): Promise<readonly string[]> {
    return Promise.resolve(compareEvmInterface(this.#setting.itsAbi));
  }

  /** Packed batches name accounts by id: the creator first registers accounts without an id. */
  async #idsOf(rows: readonly Row[]): Promise<readonly number[]> {
    const addrs: readonly Address[] = rows.map((row) => row.account);
    const missing = addrs.filter((addr) => addr !== zeroAddress);
    const data = encodeFunctionData({ abi, functionName: "registerAccounts", args: [missing] });
    await this.send("creator", await this.#signData("creator", data));
    return this.#setting.chain.client.readContract({
      abi,
      address: this.#address,
      functionName: "idsOf",
      args: [addrs],
    });
  }
}
