import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  Fee,
  LegacyAminoMultisigPublicKey,
  MnemonicKey,
  MsgSend,
  MultiSignature,
  RawKey,
  RESTClient,
  SignatureV2,
  SignDoc,
  SimplePublicKey,
  Tx,
  Wallet,
} from "@initia/initia.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startVipnode, testAccounts, type CosmosNode } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";
import { addressOf, csvOf, openTestFolder, type TestFolder } from "./harness.ts";

const { deployer } = testAccounts;

/** Three members of a multisig, of whom two must sign. */
const members = [1, 2, 3].map((byte) => new RawKey(Buffer.alloc(32, byte), false));
const [first, , third] = members;
const points = members.flatMap(({ publicKey }) => (publicKey instanceof SimplePublicKey ? [publicKey] : []));
const multisig = new LegacyAminoMultisigPublicKey(2, points);
const from = multisig.address();

/** As `TxJSONEncoder` of Cosmos SDK 0.50.15 writes them, with the messages of initia's x/move and wasmd 0.55. */
function acceptTexts(contract: string): { readonly move: string; readonly wasm: string } {
  const transaction = (message: string, gas: number): string =>
    `{"body":{"messages":[${message}],"memo":"","timeout_height":"0","extension_options":[],"non_critical_extension_options":[]},` +
    `"auth_info":{"signer_infos":[],"fee":{"amount":[],"gas_limit":"${gas}","payer":"","granter":""},"tip":null},"signatures":[]}`;
  return {
    move: transaction(
      `{"@type":"/initia.move.v1.MsgExecute","sender":"${from}","module_address":"${contract}","module_name":"vip_score","function_name":"accept_ownership_script","type_args":[],"args":[]}`,
      145_000,
    ),
    wasm: transaction(
      `{"@type":"/cosmwasm.wasm.v1.MsgExecuteContract","sender":"${from}","contract":"${contract}","msg":{"accept_ownership":{}},"funds":[]}`,
      225_000,
    ),
  };
}

describe.each(["move", "wasm"] as const)("a multisig of the Cosmos CLI on %s", (vm) => {
  let node: CosmosNode;
  let folder: TestFolder;
  let rest: RESTClient;
  let contract: string;
  beforeAll(async () => {
    node = await startVipnode({ vm });
    folder = await openTestFolder(node);
    contract = await folder.deploy();
    rest = new RESTClient(node.restUrl, { chainId: node.chainId });
    const wallet = new Wallet(rest, new MnemonicKey({ mnemonic: deployer.mnemonic }));
    const msgs = [new MsgSend(wallet.key.accAddress, from, "100000000umin")];
    await broadcast(await wallet.createAndSignTx({ msgs, fee: new Fee(200_000, "100000umin") }));
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  async function broadcast(tx: Tx): Promise<void> {
    const { txhash, ...sent } = await rest.tx.broadcastSync(tx);
    if ("code" in sent && sent.code !== 0) throw new Error(sent.raw_log);
    const found = await until(`transaction ${txhash}`, () => rest.tx.txInfo(txhash).catch(() => undefined));
    if (found.code !== 0) throw new Error(found.raw_log);
  }

  /** Signs a file as two members do with `minitiad tx sign` and `tx multisign`, and sends it. */
  async function multisign(text: string): Promise<void> {
    const tx = Tx.fromData(JSON.parse(text) as Tx.Data);
    const account = await rest.auth.accountInfo(from);
    const [number, sequence] = [account.getAccountNumber(), account.getSequenceNumber()];
    const document = new SignDoc(node.chainId, number, sequence, tx.auth_info, tx.body);
    const joined = new MultiSignature(multisig);
    const signatures = [first, third].flatMap((key) => (key === undefined ? [] : [key.createSignatureAmino(document)]));
    joined.appendSignatureV2s(await Promise.all(signatures));
    tx.appendSignatures([new SignatureV2(multisig, joined.toSignatureDescriptor(), sequence)]);
    await broadcast(tx);
  }

  /** Runs a command with `--unsigned`, signs its file and runs the command again. */
  async function sign(name: string, args: readonly string[]): Promise<string> {
    const command = [...args, "--unsigned", name, "--from", from];
    const written = await folder.ok(command);
    expect(written).toMatchObject({ transaction: null, unsigned: { file: name, format: "cosmos-transaction", from } });
    const text = await readFile(join(folder.cwd, name), "utf8");
    await multisign(text);
    const again = await folder.ok(command);
    expect(again).toMatchObject({ transaction: null });
    expect(again).not.toHaveProperty("unsigned");
    return text;
  }

  test("owns the contract, manages its members and finalizes", async () => {
    await folder.ok(["owner", "offer", from]);
    const text = await sign("accept.json", ["owner", "accept"]);
    expect(text).toBe(`${acceptTexts(contract)[vm]}\n`);
    await sign("add.json", ["members", "add", addressOf(7)]);
    await sign("finalizer.json", ["members", "finalizer", from]);
    await folder.write("scores.csv", csvOf(20));
    await folder.ok(["push", "scores.csv", "--stage", "1"]);
    await sign("finalize.json", ["finalize", "--stage", "1", "--file", "scores.csv"]);
    expect((await folder.ok(["status"]))["stages"]).toMatchObject([{ stage: "1", isFinalized: true }, {}]);
  });

  test("a number above 2^53 is written in full", async () => {
    const member = { env: { MNEMONIC: deployer.mnemonic } };
    await folder.write("large.csv", `address,score\n${addressOf(1)},18446744073709551615\n`);
    await folder.ok(["push", "large.csv", "--stage", "2"], member);
    await folder.ok(["finalize", "--stage", "2", "--file", "large.csv", "--unsigned", "large.json", "--from", from]);
    const text = await readFile(join(folder.cwd, "large.json"), "utf8");
    // On Move an argument is 8 bytes in base64.
    expect(text).toContain(vm === "wasm" ? `"expected_total":18446744073709551615,` : `"//////////8="`);
  });

  test("for people, the command says how to sign the file", async () => {
    const args = ["members", "add", addressOf(8), "--unsigned", "people.json", "--from", from];
    const { stdout } = await folder.cli(args);
    expect(stdout).toContain(`minitiad tx sign people.json --multisig ${from} --from <key> --chain-id ${node.chainId}`);
  });
});
