import { createHash } from "node:crypto";
import { QueryCodesRequest, QueryCodesResponse } from "cosmjs-types/cosmwasm/wasm/v1/query";
import { AccessType, type AccessConfig } from "cosmjs-types/cosmwasm/wasm/v1/types";
import { expect, test } from "vitest";
import { openJsonRpc } from "@vipscore/core/wire";
import { askedBy, failure, result, scriptNode, state, type Reply } from "@vipscore/testkit/scriptedNode";
import { findStoredCode, readCodeId } from "./storedCode.ts";

const bytes = Buffer.from("\0asm");
const code = { bytes, checksum: createHash("sha256").update(bytes).digest() };
const sender = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";

interface Stored {
  readonly codeId: bigint;
  readonly dataHash?: Buffer;
  readonly instantiatePermission?: AccessConfig;
}

const everybody = { permission: AccessType.ACCESS_TYPE_EVERYBODY, addresses: [] };
const some = (addresses: string[]) => ({ permission: AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES, addresses });

function page(stored: readonly Stored[], nextKey = ""): Reply {
  const codeInfos = stored.map((info) => {
    return { creator: sender, dataHash: code.checksum, instantiatePermission: everybody, ...info };
  });
  const pagination = { nextKey: Buffer.from(nextKey), total: 0n };
  return state(QueryCodesResponse.encode({ codeInfos, pagination }).finish());
}

async function find(pages: readonly Reply[]) {
  const { url, requests } = await scriptNode({ "/cosmwasm.wasm.v1.Query/Codes": pages });
  return { found: await findStoredCode(openJsonRpc(url), code, sender, {}), requests };
}

test("the code is found on a later page; newer codes are listed first", async () => {
  const other = { codeId: 9n, dataHash: Buffer.alloc(32) };
  const { found, requests } = await find([page([other], "next"), page([{ codeId: 4n }])]);
  expect(found).toBe(4n);
  const asked = requests.map((request) =>
    QueryCodesRequest.decode(Buffer.from(askedBy(request).params.data ?? "", "hex")),
  );
  expect(asked.map(({ pagination }) => [Buffer.from(pagination?.key ?? []).toString(), pagination?.reverse])).toEqual([
    ["", true],
    ["next", true],
  ]);
});

test("a code that only others may instantiate is not used", async () => {
  const theirs = { codeId: 7n, instantiatePermission: some(["init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq"]) };
  expect((await find([page([theirs])])).found).toBeUndefined();
  const ours = { codeId: 6n, instantiatePermission: some([sender]) };
  expect((await find([page([theirs, ours])])).found).toBe(6n);
});

test("the search through endless codes stops", async () => {
  const { found, requests } = await find([page([], "again")]);
  expect(found).toBeUndefined();
  expect(requests).toHaveLength(50);
});

const hash = "AB".repeat(32);
const stored = (attributes: readonly object[]): Reply => {
  const events = [{ type: "store_code", attributes }];
  return result({ hash, height: "9", index: 0, tx: "AQ==", tx_result: { code: 0, gas_used: "5", events } });
};
const checksum = { key: "code_checksum", value: code.checksum.toString("hex") };

async function readId(...replies: readonly Reply[]) {
  const { url } = await scriptNode({ tx: replies });
  return readCodeId(openJsonRpc(url), code, hash, undefined);
}

test("the id of a stored code is read from its event, and must be this code's", async () => {
  expect(await readId(stored([checksum, { key: "code_id", value: "5" }]))).toBe(5n);
  expect(await readId(stored([]), stored([checksum, { key: "code_id", value: "5" }]))).toBe(5n);
  const unfit = [
    stored([checksum, { key: "code_id", value: "five" }]),
    stored([
      { ...checksum, value: "00" },
      { key: "code_id", value: "5" },
    ]),
    stored([checksum]),
    failure(`tx (${hash}) not found`),
  ];
  await Promise.all(unfit.map((reply) => expect(readId(reply)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" })));
});
