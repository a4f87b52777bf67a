import {
  createPublicClient,
  encodeFunctionData,
  hexToBytes,
  http,
  keccak256,
  parseEventLogs,
  zeroAddress,
  type Address,
  type Hex,
  type LocalAccount,
  type PublicClient,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { stage as stageOf, type Account, type ScoreContract, type SignedTransaction } from "@vipscore/core";
import { connectEvm, deployEvm, vipScoreAbi } from "@vipscore/evm";
import { testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { sendTransaction } from "../sendTransaction.ts";
import type { CallResult, DeployedContract, DeployOptions, Role, ScoreEvent, Subject } from "../subject.ts";
import type { Row, SubjectCall } from "../subjectCall.ts";
import { encodeEvmCall } from "./evmCalls.ts";
import { EvmReader, toAccount } from "./evmReader.ts";

const abi = vipScoreAbi;

/** Below the cap of one transaction since Osaka, 2^24, which Hardhat applies. */
const gasLimit = 16_000_000n;

/** On minievm the fee token is an ERC-20, and a transfer takes more than 100,000 gas. */
const transferGas = 300_000n;

type Accounts = Readonly<Record<Role, LocalAccount>>;

interface Chain {
  readonly rpcUrl: string;
  readonly client: PublicClient;
  readonly chainId: number;
  readonly accounts: Accounts;
  /** False for a node that returns no revert data: its failures have no reason. */
  readonly reportsReasons: boolean;
}

/**
 * An EVM chain at an endpoint whose test deployer has funds.
 *
 * @param mayWithhold the node may be one that never gives reasons; then the first call that must fail shows it.
 */
export async function openEvmSubject(rpcUrl: string, mayWithhold: boolean): Promise<Subject> {
  const client: PublicClient = createPublicClient({
    transport: http(rpcUrl, { batch: true, timeout: hangBoundMs }),
    cacheTime: 0,
  });
  const chainId = await client.getChainId();
  const creator = privateKeyToAccount(testAccounts.deployer.privateKey);
  const [alice, bob, carol] = [newAccount(), newAccount(), newAccount()];
  const accounts = { creator, alice, bob, carol };
  const chain: Chain = { rpcUrl, client, chainId, accounts, reportsReasons: true };
  // A hundredth each: enough for every scenario, and the deployer keeps the rest.
  const value = (await client.getBalance({ address: creator.address })) / 100n;
  for (const { address: to } of [alice, bob, carol]) {
    const { bytes } = await signEvm(chain, creator, { to, value, gas: transferGas });
    const hash = await client.sendRawTransaction({ serializedTransaction: toHexBytes(bytes) });
    const { status } = await receiptOf(client, hash);
    if (status !== "success") throw new Error(`the transfer ${hash} that funds a test account failed`);
  }
  const reportsReasons = !mayWithhold || (await findReasons(chain));
  return { vm: "evm", deploy: (options) => deploy({ ...chain, reportsReasons }, options) };
}

async function findReasons(chain: Chain): Promise<boolean> {
  const contract = await deploy(chain);
  const { outcome } = await contract.call("creator", { kind: "finalizeStage", stage: 9n });
  return outcome === "STAGE_NOT_FOUND";
}

async function deploy(chain: Chain, { initStage = 1n, members = [] }: DeployOptions = {}): Promise<DeployedContract> {
  const { rpcUrl, accounts } = chain;
  const { address } = await deployEvm({
    rpcUrl,
    account: accounts.creator,
    initStage: stageOf(initStage),
    members: members.map((role) => toAccount(accounts[role].address)),
  });
  return new EvmContract(chain, address);
}

class EvmContract implements DeployedContract {
  readonly vm = "evm";
  readonly read: EvmReader;
  readonly #chain: Chain;
  readonly #address: Address;
  readonly #ports = new Map<Role, ScoreContract>();

  constructor(chain: Chain, address: Address) {
    this.#chain = chain;
    this.#address = address;
    this.read = new EvmReader(chain.client, address, () => this.#untilShown());
  }

  accountOf(role: Role): Account {
    return toAccount(this.#chain.accounts[role].address);
  }

  spell(account: Account): string {
    return account;
  }

  readonly junkAddresses = [`01${"ab".repeat(20)}`, "ff".repeat(32)];

  otherSpellings(): readonly string[] {
    return [];
  }

  isReplaceable(): Promise<boolean> {
    // The contract is not a proxy, so nobody can replace its code.
    return Promise.resolve(false);
  }

  async port(role: Role): Promise<ScoreContract> {
    const { rpcUrl, accounts } = this.#chain;
    const known = this.#ports.get(role);
    const port = known ?? (await connectEvm({ rpcUrl, address: this.#address, account: accounts[role] }));
    this.#ports.set(role, port);
    return port;
  }

  async call(role: Role, call: SubjectCall): Promise<CallResult> {
    return this.send(role, await this.sign(role, call));
  }

  async sign(role: Role, call: SubjectCall, ahead = 0n): Promise<SignedTransaction> {
    const data = await encodeEvmCall(call, (rows) => this.#idsOf(rows));
    const account = this.#chain.accounts[role];
    return signEvm(this.#chain, account, { to: this.#address, data, gas: gasLimit, ahead });
  }

  async send(role: Role, transaction: SignedTransaction): Promise<CallResult> {
    const result = await sendTransaction(await this.port(role), transaction);
    if (result.outcome === "DONE" || this.#chain.reportsReasons) return result;
    return { ...result, outcome: "NO_REASON" };
  }

  /** minievm shows a block before its state, and a port never reads below a height that it has seen. */
  #untilShown(): Promise<unknown> {
    return Promise.all(Array.from(this.#ports.values(), (port) => port.getHeight()));
  }

  async getScoreEvents(hash: string): Promise<readonly ScoreEvent[]> {
    const { logs } = await this.#chain.client.getTransactionReceipt({ hash: hash as Hex });
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

  /** Packed batches name accounts by id: the creator first registers accounts without an id. */
  async #idsOf(rows: readonly Row[]): Promise<readonly number[]> {
    const addrs: readonly Address[] = rows.map((row) => row.account);
    const missing = addrs.filter((addr) => addr !== zeroAddress);
    const data = encodeFunctionData({ abi, functionName: "registerAccounts", args: [missing] });
    const { creator } = this.#chain.accounts;
    await this.send("creator", await signEvm(this.#chain, creator, { to: this.#address, data, gas: gasLimit }));
    await this.#untilShown();
    const { client } = this.#chain;
    return client.readContract({ abi, address: this.#address, functionName: "idsOf", args: [addrs] });
  }
}

interface Unsigned {
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas: bigint;
  readonly ahead?: bigint;
}

/** Signs with all fields given, so that the node does not estimate a call that is meant to fail. */
async function signEvm(chain: Chain, account: LocalAccount, unsigned: Unsigned): Promise<SignedTransaction> {
  const { to, data = "0x", value = 0n, gas, ahead = 0n } = unsigned;
  const { client, chainId } = chain;
  const [next, { baseFeePerGas: baseFee }, price] = await Promise.all([
    client.getTransactionCount({ address: account.address, blockTag: "pending" }),
    client.getBlock(),
    client.getGasPrice(),
  ]);
  const nonce = next + Number(ahead);
  // No tip if blocks have a base fee: nodes suggest the last tip they received, so tips would drive each other up.
  const tip = (baseFee ?? 0n) > 0n ? 0n : price;
  const fees = { maxFeePerGas: 2n * (baseFee ?? 0n) + tip, maxPriorityFeePerGas: tip };
  const serialized = await account.signTransaction({ type: "eip1559", chainId, nonce, to, data, value, gas, ...fees });
  return { hash: keccak256(serialized), sequence: BigInt(nonce), gas, bytes: hexToBytes(serialized) };
}

function toHexBytes(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

function newAccount(): LocalAccount {
  return privateKeyToAccount(generatePrivateKey());
}
