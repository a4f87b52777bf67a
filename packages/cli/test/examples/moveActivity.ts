import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Fee, MnemonicKey, MsgExecuteJSON, MsgPublish, RESTClient, Wallet, type Msg } from "@initia/initia.js";
import { buildVipnode, startVipnode, testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import type { Act, ActivityChain } from "./activity.ts";
import { cosmosTimeOf } from "./cosmosTimes.ts";

const run = promisify(execFile);
const fee = new Fee(20_000_000, "0umin");
const publisher = testAccounts.deployer.address.toLowerCase();
const collectionName = "Tokens";

/** Starts vipnode-move with the modules of `activity` and an NFT collection. */
export async function startMoveActivity(): Promise<ActivityChain> {
  const modules = await compileActivity();
  const node = await startVipnode({ vm: "move" });
  const key = new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic });
  const rest = new RESTClient(node.restUrl, { chainId: node.chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const wallet = new Wallet(rest, key);
  const send = async (message: Msg): Promise<number> => {
    const sent = await rest.tx.broadcast(await wallet.createAndSignTx({ msgs: [message], fee }), hangBoundMs);
    if ("code" in sent && Number(sent.code) !== 0) throw new Error(sent.raw_log);
    return sent.height;
  };
  const call = (at: string, module: string, name: string, args: readonly unknown[]): Promise<number> => {
    const texts = args.map((arg) => JSON.stringify(arg));
    return send(new MsgExecuteJSON(key.accAddress, at, module, name, [], texts));
  };
  await send(new MsgPublish(key.accAddress, modules, MsgPublish.Policy.COMPATIBLE));
  const mutable = Array.from({ length: 6 }, () => true);
  const collectionArgs = ["", null, collectionName, "", ...mutable, "0.01"];
  await call("0x1", "simple_nft", "create_collection", collectionArgs);
  const collection = objectAddress(publisher, collectionName);
  return {
    vm: "move",
    chainId: node.chainId,
    endpoint: ["--endpoint", node.rpcUrl],
    contractOf: (example) => (example === "nft-holders" ? collection : publisher),
    act: (act: Act) => {
      if (act.kind === "mint") {
        const args = [collectionName, "", act.tokenId, "", [], [], [], act.account];
        return call("0x1", "simple_nft", "mint", args);
      }
      if (act.kind === "play") return call(publisher, "game", "play", [act.account, act.action]);
      const module = act.kind === "trade" ? "exchange" : "lending";
      return call(publisher, module, act.kind, [act.account, act.amount.toString()]);
    },
    timeOf: (height) => cosmosTimeOf(node.rpcUrl, height),
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

/** Compiles the package for the publisher; returns the modules in base64. */
async function compileActivity(): Promise<string[]> {
  const vipnode = await buildVipnode({ vm: "move" });
  // In a copy, because a build writes files beside the sources.
  const scratch = temporaryFolder();
  await cp(join(import.meta.dirname, "activity"), scratch, { recursive: true });
  await run(vipnode, ["build", scratch, "--named-address", `activity=${publisher}`], { cwd: scratch });
  const folder = join(scratch, "build", "Activity", "bytecode_modules");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".mv")).sort();
  return Promise.all(names.map(async (name) => (await readFile(join(folder, name))).toString("base64")));
}

/** The address of a named object: `object::create_object_address` of Move's standard library. */
function objectAddress(creator: string, seed: string): string {
  const account = Buffer.from(creator.slice(2).padStart(64, "0"), "hex");
  const text = Buffer.concat([account, Buffer.from(seed), Buffer.from([0xfe])]);
  return `0x${createHash("sha3-256").update(text).digest("hex")}`;
}
