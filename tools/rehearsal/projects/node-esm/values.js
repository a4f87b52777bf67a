// What needs no chain: score files, accounts, Merkle proofs, keys, messages, a report.
import assert from "node:assert/strict";
import { formatScores, readScoresFrom, VipError } from "@vipscore/core";
import { privateKeyOf } from "@vipscore/core/keys";
import { policyDigest } from "@vipscore/core/manifest";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import { testAccounts } from "@vipscore/core/testAccounts";
import { formatBech32, parseAccount, stage } from "@vipscore/core/values";
import { redactUrl } from "@vipscore/core/wire";
import { parseGasPrices } from "@vipscore/cosmos";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { formatRatio, parseRatio } from "@vipscore/l1";
import { moveAccount } from "@vipscore/move";
import { renderReport } from "@vipscore/report";
import { buildSnapshot, verifyProof } from "@vipscore/snapshot";
import { wasmAccount } from "@vipscore/wasm";

const { address, mnemonic, privateKey } = testAccounts.operator;
const account = parseAccount(address, { accountBytes: [20] });
const bech32 = formatBech32(account);
const read = (text) => readScoresFrom(new Blob([text]).stream(), "scores.csv", { accountBytes: [20] });

const table = await read(`address,score\n${address},18446744073709551000\n${testAccounts.deployer.address},7\n`);
assert.equal(table.total, 18_446_744_073_709_551_007n);
let text = "";
for await (const piece of formatScores([table])) text += piece;
assert.equal((await read(text)).digest(), table.digest());
await assert.rejects(read(`${address},-1\n`), (error) => error instanceof VipError && error.code === "INPUT_INVALID");

assert.equal(parseAccount(bech32, { accountBytes: [20] }), account);
assert.equal(decodeAddress(bech32), account);
assert.equal(moveAccount({ mnemonic }).address, bech32);
assert.equal(wasmAccount({ mnemonic }).address, bech32);

const snapshot = buildSnapshot({ bridgeId: 3n, stage: stage(12n), rows: table, total: table.total });
const leaf = snapshot.leafOf(account);
const proven = { bridgeId: 3n, stage: 12n, total: table.total, root: snapshot.root, ...leaf };
assert.equal(verifyProof(proven), true);
assert.equal(verifyProof({ ...proven, score: leaf.score - 1n }), false);

assert.equal(formatRatio(parseRatio("0.05")), "0.05");
assert.deepEqual(parseGasPrices("0.015umin"), [{ denom: "umin", amount: 15n, per: 1000n }]);
assert.equal(`0x${Buffer.from(privateKeyOf({ mnemonic })).toString("hex")}`, privateKey);
assert.deepEqual(nodeEnvironment({ PRIVATE_KEY: privateKey, LANG: "C" }), { LANG: "C" });
assert.match(policyDigest(new Map([["policy.sql", { bytes: 0, sha256: "00" }]])), /^[0-9a-f]{64}$/);
assert.doesNotMatch(redactUrl(new URL("https://user:secret@rpc.example.org/?key=secret")), /secret/);

const contract = { vm: "evm", chainId: "1", address: account };
const page = renderReport({ stage: 12n, contract, height: 5n, isFinalized: true, total: table.total, rows: table });
assert.match(page, /^<!doctype html>/i);
console.log("scores, accounts, proofs, keys, a report");
