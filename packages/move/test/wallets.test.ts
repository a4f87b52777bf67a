import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Secp256k1HdWallet } from "@cosmjs/amino";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { RawKey } from "@initia/initia.js";
import { expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testWallet } from "@vipscore/testkit/adapter/wallet";
import { startMove } from "./moveChain.ts";
import { signerOf } from "./walletExample.ts";

const { deployer, operator } = testAccounts;
const prefix = "init";

const chain = useChain(() => startMove());

testWallet(chain, "DirectSecp256k1HdWallet", () => DirectSecp256k1HdWallet.fromMnemonic(deployer.mnemonic, { prefix }));
testWallet(chain, "Secp256k1HdWallet, amino only", () => Secp256k1HdWallet.fromMnemonic(operator.mnemonic, { prefix }));
testWallet(chain, "a key of initia.js, as in the README", () =>
  Promise.resolve(signerOf(new RawKey(randomBytes(32), true))),
);

test("the example is the one in the README", () => {
  expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(
    readFileSync(new URL("walletExample.ts", import.meta.url), "utf8"),
  );
});
