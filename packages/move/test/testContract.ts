import { randomBytes } from "node:crypto";
import { MsgExecute, MsgPublish, MsgSend, type Msg } from "@initia/initia.js";
import { inject } from "vitest";
import type { Account, Included, ScoreContract } from "@vipscore/core";
import { openSender } from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { openTransport, TransactionSigner } from "@vipscore/cosmos";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import type { Shape } from "@vipscore/testkit/adapter/adapterChain";
import { settle } from "@vipscore/testkit/adapter/rows";
import { encodeAddress, encodeU64 } from "../src/bcs.ts";
import { connectMove, moveAccount, type MoveAccount } from "../src/index.ts";
import { placeModule } from "../src/moveArtifact.ts";
import { parseFailure } from "../src/parseFailure.ts";
import { initiaMessage } from "./initiaMessage.ts";
import { placeholder } from "./placeholder.ts";

export const deployer = moveAccount({ mnemonic: testAccounts.deployer.mnemonic });
export const operator = moveAccount({ mnemonic: testAccounts.operator.mnemonic });

/** Sends any message and waits for its block. */
export async function execute(
  chain: CosmosNode,
  account: MoveAccount,
  message: Msg,
  gas = 1_500_000n,
): Promise<Included> {
  const rest = openRest(chain.restUrl);
  const { chainId } = chain;
  const signer = new TransactionSigner(rest, { chainId, account, gasPrice: undefined });
  const sender = openSender({ ...openTransport(rest, parseFailure), signer });
  const sequence = await signer.readSequence({});
  return settle(sender, await signer.sign(initiaMessage(message), { sequence, gas }));
}

async function mustSucceed(outcome: Promise<Included>): Promise<Included> {
  const included = await outcome;
  if (!included.succeeded) throw new Error(`a transaction of the test failed: ${included.details}`);
  return included;
}

/** An account that no chain has seen. */
export function newAccount(coinType: 60 | 118 = 60): MoveAccount {
  return moveAccount({ privateKey: randomBytes(32).toString("hex"), coinType });
}

/** A new account with funds: an account publishes one module. */
export async function freshAccount(chain: CosmosNode, coinType?: 60 | 118): Promise<MoveAccount> {
  return fundAccount(chain, newAccount(coinType));
}

/** Sends funds to an account. */
export async function fundAccount(chain: CosmosNode, account: MoveAccount): Promise<MoveAccount> {
  await mustSucceed(execute(chain, deployer, new MsgSend(deployer.address, account.address, "1000000umin")));
  return account;
}

/** The compiled module with a shape for a publisher. */
export function codeOf(shape: Shape, publisher: Account): Buffer {
  const code = Buffer.from(inject("modules")[shape], "base64");
  const from = Buffer.from(placeholder.slice(2), "hex");
  const occurrences = code.toString("hex").split(placeholder.slice(2)).length - 1;
  return placeModule(code, { placeholder: from, address: encodeAddress(publisher), occurrences });
}

/** Publishes any module. */
export function publish(chain: CosmosNode, account: MoveAccount, code: Buffer): Promise<Included> {
  const message = new MsgPublish(account.address, [code.toString("base64")], MsgPublish.Policy.COMPATIBLE);
  return mustSucceed(execute(chain, account, message));
}

/** Publishes one of the two modules from an account with first stage 1 and connects to it. */
export async function deployShape(chain: CosmosNode, shape: Shape, from?: MoveAccount): Promise<ScoreContract> {
  const account = from ?? (await freshAccount(chain));
  await publish(chain, account, codeOf(shape, account.account));
  const entry = (name: string, arg: Buffer) =>
    new MsgExecute(account.address, account.account, "vip_score", name, [], [arg.toString("base64")]);
  await mustSucceed(execute(chain, account, entry("add_deployer_script", encodeAddress(account.account))));
  await mustSucceed(execute(chain, account, entry("set_init_stage", encodeU64(1n))));
  return connectMove({ restUrl: chain.restUrl, address: account.address, account });
}
