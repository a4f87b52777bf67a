import type { AminoMsg } from "@cosmjs/amino";
import {
  MsgExecuteContract,
  MsgInstantiateContract2,
  MsgMigrateContract,
  MsgStoreCode,
} from "cosmjs-types/cosmwasm/wasm/v1/tx";
import type { WasmMessage } from "./wasmTransaction.ts";

/** The messages of `x/wasm` that this package sends, in amino JSON; without coins and without permissions of a code. */
const converters: Readonly<Record<string, (value: Uint8Array) => AminoMsg>> = {
  [MsgExecuteContract.typeUrl]: (value) => {
    const { sender, contract, msg } = MsgExecuteContract.decode(value);
    return { type: "wasm/MsgExecuteContract", value: { sender, contract, msg: parse(msg), funds: [] } };
  },
  [MsgInstantiateContract2.typeUrl]: (value) => {
    const { sender, admin, codeId, label, msg, salt } = MsgInstantiateContract2.decode(value);
    const fields = { sender, ...adminField(admin), code_id: codeId.toString(), label, msg: parse(msg), funds: [] };
    return { type: "wasm/MsgInstantiateContract2", value: { ...fields, salt: base64(salt) } };
  },
  [MsgMigrateContract.typeUrl]: (value) => {
    const { sender, contract, codeId, msg } = MsgMigrateContract.decode(value);
    return {
      type: "wasm/MsgMigrateContract",
      value: { sender, contract, code_id: codeId.toString(), msg: parse(msg) },
    };
  },
  [MsgStoreCode.typeUrl]: (value) => {
    const { sender, wasmByteCode } = MsgStoreCode.decode(value);
    return { type: "wasm/MsgStoreCode", value: { sender, wasm_byte_code: base64(wasmByteCode) } };
  },
};

/**
 * Returns a message in amino JSON, as the chain writes it to verify a signature. cosmjs has the same converters in its client for
 * CosmWasm, which also opens connections; a test compares the two.
 */
export function aminoMessage({ typeUrl, value }: WasmMessage): AminoMsg {
  const convert = converters[typeUrl];
  if (convert === undefined) throw new Error(`${typeUrl} has no form in amino JSON here`);
  return convert(value);
}

/** Rounds numbers above 2^53 as the chain's encoder does, which reads them as floating-point numbers. */
function parse(message: Uint8Array): unknown {
  return JSON.parse(Buffer.from(message).toString()) as unknown;
}

function adminField(admin: string): { readonly admin?: string } {
  return admin === "" ? {} : { admin };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
