import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { SigningCosmWasmClient } from "@cosmjs/cosmwasm-stargate";
import { DirectSecp256k1HdWallet, DirectSecp256k1Wallet } from "@cosmjs/proto-signing";
import { GasPrice } from "@cosmjs/stargate";
import { MsgExecuteContract } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { formatBech32, stage, type ScoreRow } from "@vipscore/core";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { connectWasm, deployWasm, wasmAccount } from "@vipscore/wasm";
import type { BenchChain, BenchChainParameters, PlainClient } from "./benchChain.ts";

/** A Wasm chain. The plain library is cosmjs, whose keys have coin type 118. */
export async function openWasmChain({ endpoint, key, gasPrices }: BenchChainParameters): Promise<BenchChain> {
  const account = wasmAccount({ ...key, coinType: 118 });
  const wallet =
    "mnemonic" in key
      ? await DirectSecp256k1HdWallet.fromMnemonic(key.mnemonic, { prefix: "init" })
      : await DirectSecp256k1Wallet.fromKey(Buffer.from(key.privateKey.slice(2), "hex"), "init");
  const openClient = () =>
    SigningCosmWasmClient.connectWithSigner(endpoint, wallet, {
      gasPrice: GasPrice.fromString(gasPrices),
      broadcastTimeoutMs: hangBoundMs,
    });
  const sender = account.address;
  let codeId: number | undefined;
  return {
    deployOurs: async () => {
      const label = `bench ${randomBytes(8).toString("hex")}`;
      const chain = { rpcUrl: endpoint, account, gasPrices };
      const { address } = await deployWasm({ ...chain, initStage: stage(1n), label });
      return () => connectWasm({ ...chain, address });
    },
    deployReference: async () => {
      const client = await openClient();
      try {
        codeId ??= (await client.upload(sender, await referenceCode(), "auto")).codeId;
        const message = { allow_list: [sender], init_stage: 1 };
        const { contractAddress } = await client.instantiate(sender, codeId, message, "bench", "auto");
        return async () => plainClient(await openClient(), sender, contractAddress);
      } finally {
        client.disconnect();
      }
    },
  };
}

function plainClient(client: SigningCosmWasmClient, sender: string, contract: string): PlainClient {
  return {
    estimate: (rows) => {
      const msg = Buffer.from(JSON.stringify(messageOf(rows)));
      const value = MsgExecuteContract.fromPartial({ sender, contract, msg });
      return client.simulate(sender, [{ typeUrl: MsgExecuteContract.typeUrl, value }], "");
    },
    update: async (rows) => {
      await client.execute(sender, contract, messageOf(rows), "auto");
    },
    close: () => client.disconnect(),
  };
}

function messageOf(rows: readonly ScoreRow[]) {
  const scores = rows.map(({ account, score }) => [formatBech32(account), Number(score)]);
  return { update_scores: { stage: 1, scores } };
}

function referenceCode(): Promise<Buffer> {
  const contracts = dirname(createRequire(import.meta.url).resolve("@vipscore/contracts-wasm/package.json"));
  return readFile(join(contracts, "reference_shape/artifacts/reference_shape.wasm"));
}
