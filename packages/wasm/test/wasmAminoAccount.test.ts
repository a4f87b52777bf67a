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
import { aminoMessage } from "../src/aminoMessage.ts";
import { wasmAccount, wasmAminoAccount } from "../src/index.ts";
import { startWasm } from "./wasmChain.ts";

testAminoAccount(
  useChain(() => startWasm()),
  wasmAccount,
  wasmAminoAccount,
);

const sender = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
const msg = Buffer.from('{"update":{"total":18446744073709551615,"text":"a<b"}}');
const executed = { sender, contract: sender, msg, funds: [] };
const created = { sender, codeId: 7n, label: "a & b", msg, funds: [], salt: Buffer.from("salt"), fixMsg: false };
const migrated = { sender, contract: sender, codeId: 7n, msg };
const stored = MsgStoreCode.fromPartial({ sender, wasmByteCode: msg });

test.each([
  [MsgExecuteContract.typeUrl, MsgExecuteContract.encode(executed), executed],
  [
    MsgInstantiateContract2.typeUrl,
    MsgInstantiateContract2.encode({ ...created, admin: sender }),
    { ...created, admin: sender },
  ],
  [
    MsgInstantiateContract2.typeUrl,
    MsgInstantiateContract2.encode({ ...created, admin: "" }),
    { ...created, admin: "" },
  ],
  [MsgMigrateContract.typeUrl, MsgMigrateContract.encode(migrated), migrated],
  [MsgStoreCode.typeUrl, MsgStoreCode.encode(stored), stored],
])("%s has the amino JSON of cosmjs", (typeUrl, writer, fields) => {
  const converter = createWasmAminoConverters()[typeUrl];
  if (converter === undefined || typeof converter === "string") throw new Error(`cosmjs has no ${typeUrl}`);
  const theirs = { type: converter.aminoType, value: converter.toAmino(fields) as unknown };
  expect(aminoMessage({ typeUrl, value: writer.finish() })).toEqual(theirs);
});

test("a message without a form in amino JSON is refused", () => {
  const message = { typeUrl: "/cosmos.bank.v1beta1.MsgSend", value: new Uint8Array() };
  expect(() => aminoMessage(message)).toThrow("MsgSend");
});
