import { createHash } from "node:crypto";
import { Fee, isTxError, MnemonicKey, MsgExecuteJSON, RESTClient, Wallet } from "@initia/initia.js";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import type { HexAddress } from "../../../src/index.ts";
import { friend, stranger, type LiveChain, type Mark, type Party, type Signer, type Step } from "./liveChain.ts";

const fee = new Fee(2_000_000_000, "0umin");

/** An entry function of the standard library; the arguments are sent as JSON. */
interface Call {
  readonly module: string;
  readonly name: string;
  readonly types?: readonly string[];
  readonly args: readonly unknown[];
}

/** Starts vipnode with Move; "contract" is the object of the first collection. */
export async function startMoveChain(): Promise<LiveChain> {
  const node = await startVipnode({ vm: "move" });
  const rest = new RESTClient(node.restUrl, { chainId: node.chainId, gasPrices: "0umin" });
  const keys = { deployer: keyOf("deployer"), operator: keyOf("operator") };
  const names: string[] = [];

  const execute = async (signer: Signer, calls: readonly Call[]): Promise<Mark> => {
    const msgs = calls.map(({ module, name, types = [], args }) => {
      const texts = args.map((arg) => JSON.stringify(arg));
      return new MsgExecuteJSON(keys[signer].accAddress, "0x1", module, name, [...types], texts);
    });
    const signed = await new Wallet(rest, keys[signer]).createAndSignTx({ msgs, fee });
    const result = await rest.tx.broadcast(signed, hangBoundMs);
    if (isTxError(result)) throw new Error(result.raw_log);
    return { height: result.height, txHash: result.txhash };
  };
  const addressOf = (party: Party): HexAddress => {
    if (party === "friend") return friend;
    if (party === "stranger") return stranger;
    const [first = ""] = names;
    return party === "contract" ? objectOfSeed(first) : (testAccounts[party].address.toLowerCase() as HexAddress);
  };
  const objectOf = (collection: string, tokenId: string) => objectOfSeed(`${collection}::${tokenId}`);
  const callOf = (step: Step): Call => {
    const { kind, collection } = step;
    if (kind === "handOver") return transferOf(objectOfSeed(collection), addressOf(step.to));
    const object = objectOf(collection, step.tokenId);
    if (kind === "burn") return { module: "simple_nft", name: "burn", types: ["0x1::nft::Nft"], args: [object] };
    if (kind === "move") return transferOf(object, addressOf(step.to));
    const to = step.to === "deployer" ? null : addressOf(step.to);
    return { module: "simple_nft", name: "mint", args: [collection, "", step.tokenId, step.uri, [], [], [], to] };
  };
  return {
    source: { rpcNodeUrl: node.rpcUrl },
    addressOf,
    create: async (name) => {
      const mutable = Array.from({ length: 6 }, () => true);
      const args = ["", null, name, "", ...mutable, "0"];
      const mark = await execute("deployer", [{ module: "simple_nft", name: "create_collection", args }]);
      names.push(name);
      return { address: objectOfSeed(name), mark };
    },
    play: async (signer, steps) => {
      const mark = await execute(signer, steps.map(callOf));
      return steps.map(() => mark);
    },
    objectOf,
    timeOf: async (height) => (await rest.tendermint.blockInfo(height)).block.header.time,
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

function keyOf(name: Signer): MnemonicKey {
  return new MnemonicKey({ mnemonic: testAccounts[name].mnemonic });
}

function transferOf(object: HexAddress, to: HexAddress): Call {
  return { module: "object", name: "transfer_call", args: [object, to] };
}

/** The address of the deployer's named object: SHA3-256 of its address, the seed and 0xfe (0x1::object of movevm v1.2.0). */
function objectOfSeed(seed: string): HexAddress {
  const creator = Buffer.from(testAccounts.deployer.address.slice(2).padStart(64, "0"), "hex");
  const bytes = Buffer.concat([creator, Buffer.from(seed), Buffer.of(0xfe)]);
  return `0x${createHash("sha3-256").update(bytes).digest("hex")}`;
}
