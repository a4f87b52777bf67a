import { createWasmAminoConverters } from "@cosmjs/cosmwasm-stargate";
import {
  MsgExecuteContract,
  MsgInstantiateContract2,
  MsgMigrateContract,
  MsgStoreCode,
} from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { expect, test } from "vitest";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testAminoAccount } from "@vipscore/testkit/adapter/aminoAccount";
import { wasmAccount, wasmAminoAccount } from "../src/index.ts";
import { aminoMessage } from "../src/aminoMessage.ts";
import { startWasm } from "./wasmChain.ts";

testAminoAccount(
  useChain(() => startWasm()),
  wasmAccount,
  wasmAminoAccount,
);

const sender = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
const msg = Buffer.from('{"update":{"total":18446744073709551615,"text":"a<b"}}');
const created = { sender, codeId: 7n, label: "a & b", msg, funds: [], salt: Buffer.from("salt"), fixMsg: false };

test.each([
  [MsgExecuteContract, { sender, contract: sender, msg, funds: [] }],
  [MsgInstantiateContract2, { ...created, admin: sender }],
  [MsgInstantiateContract2, { ...created, admin: "" }],
  [MsgMigrateContract, { sender, contract: sender, codeId: 7n, msg }],
  [MsgStoreCode, MsgStoreCode.fromPartial({ sender, wasmByteCode: msg })],
] as const)("a message has the amino JSON of cosmjs", (type, fields) => {
  const value = type.encode(type.fromPartial(fields as object)).finish();
  const converter = createWasmAminoConverters()[type.typeUrl];
  if (converter === undefined || converter === "not_supported_by_chain") throw new Error(`cosmjs has no ${type.typeUrl}`);
  const { typeUrl } = type;
  expect(aminoMessage({ typeUrl, value })).toEqual({ type: converter.aminoType, value: converter.toAmino(fields) });
});

test("a message without a form in amino JSON is refused", () => {
  const message = { typeUrl: "/cosmos.bank.v1beta1.MsgSend", value: new Uint8Array() };
  expect(() => aminoMessage(message)).toThrow("MsgSend");
});
