import {
  AuthInfo,
  Coins,
  Fee,
  ModeInfo,
  MsgExecute,
  MsgGovExecute,
  MsgPublish,
  MsgSubmitProposal,
  RawKey,
  Tx,
  TxBody,
  type Msg,
} from "@initia/initia.js";
import { describe, expect, test } from "vitest";
import { privateKeyOf } from "@vipscore/core/keys";
import { queuedTxTypeUrl, type CosmosMessage, type MessageJson } from "@vipscore/cosmos";
import { aminoKey } from "@vipscore/testkit/adapter/aminoKey";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { moveAccount, moveAminoAccount } from "../src/index.ts";
import { msgExecute, msgPublish, type ModuleCall } from "../src/moveMessages.ts";
import { messageOfJson } from "../src/signMessage.ts";

// Every transaction of this package, signed here and by initia.js: the same bytes, signatures included, and the same address.

const { SIGN_MODE_DIRECT, SIGN_MODE_EIP_191, SIGN_MODE_LEGACY_AMINO_JSON } = ModeInfo.SignMode;
const random = seededRandom(fuzzSeed());
const cases = fuzzRuns(20);

const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));
/** Without the characters that Go escapes and initia.js does not; `aminoDocument.test.ts` has those. */
const characters = Array.from('aZ9 _:/"\\\n{é中🙂');
const text = (length: number): string => Array.from({ length }, () => random.pick(characters)).join("");
const name = (): string => `f${bytes(random.below(12)).toString("hex")}`;
const number = (): bigint => BigInt(random.pick([0, 1, 127, 128, random.below(2 ** 31), Number.MAX_SAFE_INTEGER]));
const list = <T>(make: () => T): T[] => Array.from({ length: random.below(4) }, make);

interface Pair {
  readonly ours: CosmosMessage;
  readonly theirs: Msg;
}

function call(sender: string): ModuleCall {
  return {
    sender,
    moduleAddress: `0x${bytes(random.pick([1, 20, 32])).toString("hex")}`,
    moduleName: name(),
    functionName: name(),
    typeArgs: list(() => `0x1::coin::${name()}`),
    args: list(() => bytes(random.pick([0, 1, 8, 33, 300]))),
  };
}

function encoded(args: readonly Uint8Array[]): string[] {
  return args.map((arg) => Buffer.from(arg).toString("base64"));
}

function execute(sender: string): Pair {
  const { moduleAddress, moduleName, functionName, typeArgs, args } = call(sender);
  const theirs = new MsgExecute(sender, moduleAddress, moduleName, functionName, [...typeArgs], encoded(args));
  return { ours: msgExecute({ sender, moduleAddress, moduleName, functionName, typeArgs, args }), theirs };
}

function publish(sender: string): Pair {
  const codes = list(() => bytes(random.below(5_000)));
  const policy = random.pick(["compatible", "immutable"] as const);
  const theirPolicy = policy === "immutable" ? MsgPublish.Policy.IMMUTABLE : MsgPublish.Policy.COMPATIBLE;
  const theirs = new MsgPublish(sender, encoded(codes), theirPolicy);
  return { ours: msgPublish(sender, codes, policy), theirs };
}

/** Reads a message from JSON, as `signMessage` does. */
function fromJson(theirs: Msg): Pair {
  return { ours: messageOfJson(JSON.parse(JSON.stringify(theirs.toData())) as MessageJson), theirs };
}

function propose(proposer: string): Pair {
  const messages = list(() => {
    const { sender, moduleAddress, moduleName, functionName, typeArgs, args } = call(proposer);
    const authority = `init1${name()}`;
    return new MsgGovExecute(authority, sender, moduleAddress, moduleName, functionName, [...typeArgs], encoded(args));
  });
  const deposit = new Coins(random.pick([{}, { uinit: "1" }, { uinit: `${2n ** 70n}` }]));
  const texts = [text(random.below(40)), text(random.below(255)), text(random.below(5_000))] as const;
  const { ours, theirs } = fromJson(
    withoutExpedited(new MsgSubmitProposal(messages, deposit, proposer, ...texts, false)),
  );
  return { ours, theirs };
}

/** Amino JSON leaves out what is false, which initia.js does only for a field that is undefined. */
function withoutExpedited(message: MsgSubmitProposal): MsgSubmitProposal {
  Reflect.deleteProperty(message, "expedited");
  return message;
}

class QueuedTxBody extends TxBody {
  override toProto(): TxBody.Proto {
    return { ...super.toProto(), extensionOptions: [{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }] };
  }
}

describe.each([
  ["MsgExecute", execute],
  ["MsgExecute from JSON", (sender: string) => fromJson(execute(sender).theirs)],
  ["MsgPublish", publish],
  ["MsgSubmitProposal from JSON", propose],
] as const)("%s", (_, make) => {
  test.each([
    [60, SIGN_MODE_DIRECT],
    [118, SIGN_MODE_DIRECT],
    [60, SIGN_MODE_EIP_191],
    [118, SIGN_MODE_LEGACY_AMINO_JSON],
  ] as const)("coin type %i, sign mode %i: the bytes of initia.js", async (coinType, signMode) => {
    for (let index = 0; index < cases; index += 1) {
      const key = { privateKey: bytes(32).toString("hex"), coinType };
      const theirKey = new RawKey(Buffer.from(privateKeyOf(key)), coinType === 60);
      const isDirect = signMode === SIGN_MODE_DIRECT;
      const account = isDirect ? moveAccount(key) : moveAminoAccount(aminoKey(key));
      expect(account.address).toBe(theirKey.accAddress);

      const { ours, theirs } = make(account.address);
      const isQueued = isDirect && random.below(2) === 1;
      const [accountNumber, sequence, gas] = [number(), number(), number()];
      const chainId = random.pick(["initiation-2", text(20)]);
      const fee = random.pick([undefined, { denom: "umin", amount: number() + 1n }]);
      const unsigned = { message: ours, chainId, accountNumber, sequence, gas, isQueued, fee };
      const body = isQueued ? new QueuedTxBody([theirs]) : new TxBody([theirs]);
      const theirFee = new Fee(Number(gas), fee === undefined ? new Coins() : `${fee.amount}${fee.denom}`);
      const options = { accountNumber: Number(accountNumber), sequence: Number(sequence), chainId, signMode };
      const expected = await theirKey.signTx(new Tx(body, new AuthInfo([], theirFee), []), options);
      expect(Buffer.from(await account.signTransaction(unsigned)).toString("hex")).toBe(
        Buffer.from(expected.toBytes()).toString("hex"),
      );
    }
  });
});
