import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { openRest } from "@vipscore/core/wire";
import { parseGasPrice, readRestGasPrice } from "@vipscore/cosmos";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { moveAccount, signMessage, type SignedMessage } from "../src/index.ts";

const node = started(() => startVipnode({ vm: "move" }));

interface Sent {
  readonly tx_response: { readonly code: number; readonly raw_log: string; readonly txhash: string };
}

/** Sends a signed transaction as the Cosmos CLI does: the node reads its JSON. Returns the chain's error. */
async function send({ json }: SignedMessage): Promise<string> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${node.restUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
    return response.json();
  };
  const { tx_bytes } = (await post("/cosmos/tx/v1beta1/encode", { tx: json })) as { readonly tx_bytes: string };
  const { tx_response } = (await post("/cosmos/tx/v1beta1/txs", { tx_bytes, mode: "BROADCAST_MODE_SYNC" })) as Sent;
  if (tx_response.code !== 0) return tx_response.raw_log;
  const found = await until(`transaction ${tx_response.txhash}`, async () => {
    const response = await fetch(`${node.restUrl}/cosmos/tx/v1beta1/txs/${tx_response.txhash}`);
    return response.ok ? ((await response.json()) as Sent) : undefined;
  });
  return found.tx_response.raw_log;
}

test.each([60, 118] as const)("coin type %s: the node accepts the JSON, for one sequence", async (coinType) => {
  const account = moveAccount({ mnemonic: testAccounts.deployer.mnemonic, coinType });
  const message = {
    "@type": "/initia.move.v1.MsgExecute",
    sender: account.address,
    module_address: "0x1",
    module_name: "account",
    function_name: "create_account_script",
    type_args: [],
    args: [createHash("sha256").update(`account of coin type ${coinType}`).digest("base64")],
  };
  const { restUrl, chainId } = node;
  const gasPrice = parseGasPrice("0.015umin");
  const sign = (gas: bigint): Promise<SignedMessage> =>
    signMessage({ restUrl, chainId, account, message, gas, gasPrice });
  const signed = await sign(200_000n);
  const other = await sign(200_001n);
  expect(signed.json).toMatchObject({
    body: { messages: [message] },
    auth_info: { signer_infos: [{ sequence: "0" }], fee: { amount: [{ denom: "umin", amount: "3000" }] } },
  });
  expect(await send(signed)).toBe("");
  expect(await send(other)).toMatch(/sequence/);
  expect((await sign(200_000n)).sequence).toBe(signed.sequence + 1n);
});

test("an account that the chain does not know signs nothing", async () => {
  const account = moveAccount({ privateKey: `0x${"5".repeat(64)}` });
  const message = { "@type": "/initia.move.v1.MsgExecute", sender: account.address };
  const { restUrl, chainId } = node;
  await expect(signMessage({ restUrl, chainId, account, message, gas: 1n })).rejects.toMatchObject({
    code: "INSUFFICIENT_FUNDS",
    message: expect.stringContaining(account.address) as unknown,
  });
});

test("gas is free on a development chain", async () => {
  expect(await readRestGasPrice(openRest(node.restUrl), undefined)).toBeUndefined();
});
