import { makeSignDoc as makeAminoDoc, serializeSignDoc } from "@cosmjs/amino";
import { createWasmAminoConverters, wasmTypes } from "@cosmjs/cosmwasm-stargate";
import {
  DirectEthSecp256k1Wallet,
  DirectSecp256k1Wallet,
  makeAuthInfoBytes,
  makeSignDoc,
  Registry,
  type EncodeObject,
} from "@cosmjs/proto-signing";
import { AminoTypes } from "@cosmjs/stargate";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { MsgExecuteContract } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { describe, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { privateKeyOf } from "@vipscore/core/keys";
import { queuedTxTypeUrl, type CosmosMessage, type UnsignedTransaction } from "@vipscore/cosmos";
import { aminoKey } from "@vipscore/testkit/adapter/aminoKey";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { encodeCall } from "../src/encodeCall.ts";
import { wasmAccount, wasmAminoAccount } from "../src/index.ts";
import { msgExecuteContract, msgInstantiateContract2, msgMigrateContract, msgStoreCode } from "../src/wasmMessages.ts";

// Every transaction of this package, signed here and by cosmjs: the same bytes, signatures included, and the same address.

const { SIGN_MODE_DIRECT, SIGN_MODE_EIP_191, SIGN_MODE_LEGACY_AMINO_JSON } = SignMode;
const random = seededRandom(fuzzSeed());
const cases = fuzzRuns(20);
const registry = new Registry(wasmTypes);
const aminoTypes = new AminoTypes(createWasmAminoConverters());
const keyTypes = {
  60: "/initia.crypto.v1beta1.ethsecp256k1.PubKey",
  118: "/cosmos.crypto.secp256k1.PubKey",
} as const;

const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));
const characters = Array.from('aZ9 _:/"\\\n{&<>é中🙂');
const text = (length: number): string => Array.from({ length }, () => random.pick(characters)).join("");
const number = (): bigint => BigInt(random.pick([0, 1, 127, 128, random.below(2 ** 31), Number.MAX_SAFE_INTEGER]));
const address = (): string => `init1${bytes(20).toString("hex")}`;

/** A contract's message: names out of order, nested, and a number that a floating-point number cannot hold. */
function json(): string {
  const fields = [
    `"z":18446744073709551615`,
    `"a":{"b":[1,{"d":null,"c":true}],"n10":1,"n9":2}`,
    `"t":${JSON.stringify(text(30))}`,
  ];
  return `{"update":{${fields.slice(random.below(3)).join(",")}}}`;
}

interface Pair {
  readonly ours: CosmosMessage;
  readonly theirs: EncodeObject;
}

/** A message with these fields, as cosmjs names them. */
function theirsOf(name: string, fields: object): EncodeObject {
  return { typeUrl: `/cosmwasm.wasm.v1.${name}`, value: fields };
}

function execute(sender: string): Pair {
  const [contract, msg] = [address(), json()];
  const theirs = theirsOf("MsgExecuteContract", { sender, contract, msg: Buffer.from(msg), funds: [] });
  return { ours: msgExecuteContract({ sender, contract, msg }), theirs };
}

function instantiate(sender: string): Pair {
  const fields = { sender, admin: random.pick(["", address()]), codeId: number(), label: text(20), salt: bytes(32) };
  const msg = json();
  const theirs = { ...fields, msg: Buffer.from(msg), funds: [], fixMsg: false };
  return { ours: msgInstantiateContract2({ ...fields, msg }), theirs: theirsOf("MsgInstantiateContract2", theirs) };
}

function migrate(sender: string): Pair {
  const [contract, codeId, msg] = [address(), number() + 1n, json()];
  const theirs = theirsOf("MsgMigrateContract", { sender, contract, codeId, msg: Buffer.from(msg) });
  return { ours: msgMigrateContract({ sender, contract, codeId, msg }), theirs };
}

function store(sender: string): Pair {
  const wasmByteCode = bytes(random.below(5_000));
  return { ours: msgStoreCode(sender, wasmByteCode), theirs: theirsOf("MsgStoreCode", { sender, wasmByteCode }) };
}

interface Signing {
  readonly key: { readonly privateKey: string; readonly coinType: 60 | 118 };
  readonly mode: SignMode;
  readonly sender: string;
}

async function signTheirs(unsigned: UnsignedTransaction, theirs: EncodeObject, signing: Signing): Promise<Uint8Array> {
  const { chainId, accountNumber, sequence, gas, isQueued = false, fee } = unsigned;
  const { key, mode, sender } = signing;
  const coins = fee === undefined ? [] : [{ denom: fee.denom, amount: fee.amount.toString() }];
  const amino = aminoKey(key);
  const pubkey = { typeUrl: keyTypes[key.coinType], value: PubKey.encode({ key: amino.publicKey }).finish() };
  const extensionOptions = isQueued ? [{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }] : [];
  const bodyBytes = TxBody.encode(
    TxBody.fromPartial({ messages: [registry.encodeAsAny(theirs)], extensionOptions }),
  ).finish();
  const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence }], coins, Number(gas), undefined, undefined, mode);
  const sign = async (): Promise<Uint8Array> => {
    if (mode === SIGN_MODE_DIRECT) {
      const wallets = { 60: DirectEthSecp256k1Wallet, 118: DirectSecp256k1Wallet };
      const wallet = await wallets[key.coinType].fromKey(privateKeyOf(key), "init");
      const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, Number(accountNumber));
      const { signature } = await wallet.signDirect(sender, document);
      return Buffer.from(signature.signature, "base64");
    }
    const stdFee = { amount: coins, gas: gas.toString() };
    const messages = [aminoTypes.toAmino(theirs)];
    return amino.signAmino(
      serializeSignDoc(makeAminoDoc(messages, stdFee, chainId, "", accountNumber.toString(), sequence.toString())),
    );
  };
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [await sign()] }).finish();
}

describe.each([
  ["MsgExecuteContract", execute],
  ["MsgInstantiateContract2", instantiate],
  ["MsgMigrateContract", migrate],
  ["MsgStoreCode", store],
] as const)("%s", (_, make) => {
  test.each([
    [60, SIGN_MODE_DIRECT],
    [118, SIGN_MODE_DIRECT],
    [60, SIGN_MODE_EIP_191],
    [118, SIGN_MODE_LEGACY_AMINO_JSON],
  ] as const)("coin type %i, sign mode %i: the bytes of cosmjs", async (coinType, mode) => {
    for (let index = 0; index < cases; index += 1) {
      const key = { privateKey: bytes(32).toString("hex"), coinType };
      const isDirect = mode === SIGN_MODE_DIRECT;
      const account = isDirect ? wasmAccount(key) : wasmAminoAccount(aminoKey(key));
      const { ours, theirs } = make(account.address);
      const unsigned = {
        message: ours,
        chainId: random.pick(["miniwasm-2", text(20)]),
        accountNumber: number(),
        sequence: number(),
        gas: number(),
        isQueued: isDirect && random.below(2) === 1,
        fee: random.pick([undefined, { denom: "umin", amount: number() }]),
      };
      const expected = await signTheirs(unsigned, theirs, { key, mode, sender: account.address });
      expect(Buffer.from(await account.signTransaction(unsigned)).toString("hex")).toBe(
        Buffer.from(expected).toString("hex"),
      );
    }
  });
});

test("a stage above 2^53 is exact in a call", () => {
  const signer = wasmAccount({ privateKey: bytes(32).toString("hex") }).account;
  const { value } = encodeCall(
    { signer, contract: address() },
    { kind: "finalizeStage", stage: stage(2n ** 53n + 1n) },
  );
  const { msg, funds } = MsgExecuteContract.decode(value);
  expect(Buffer.from(msg).toString()).toBe('{"finalize_stage":{"stage":9007199254740993}}');
  expect(funds).toEqual([]);
});
