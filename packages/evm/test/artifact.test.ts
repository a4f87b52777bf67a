import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { stage, type DeployEvent } from "@vipscore/core";
import { allFeatures, noFeatures } from "@vipscore/core/engine";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { accountOf, readRows, rowsOf, sorted, write, writeRows } from "@vipscore/testkit/adapter/rows";
import { connectEvm, deployEvm, vipScoreAbi, vipScoreBytecode } from "../src/index.ts";
import { hardhat } from "./evmChain.ts";
import { freshAccount } from "./testContract.ts";

const chain = useChain(hardhat.start);
const initStage = stage(4n);

/** The artifact of a fixture of contracts/evm, as Hardhat wrote it. */
const artifactOf = (name: string): string =>
  fileURLToPath(new URL(`../../../contracts/evm/artifacts/fixtures/${name}.sol/${name}.json`, import.meta.url));

test("a changed contract with its own version keeps the checked finalize and every other feature", async () => {
  const artifact = artifactOf("AcmeScores");
  const rpcUrl = chain().url;
  const account = await freshAccount(rpcUrl);
  const deployment = { rpcUrl, account, initStage, artifact, members: [accountOf(1)], finalizer: accountOf(2) };
  const deployed = await deployEvm(deployment);
  expect(deployed).toMatchObject({ version: "2.1.0-acme", features: allFeatures, finalizer: accountOf(2) });
  // Its code contains the first stage, and is recognized all the same.
  const steps: string[] = [];
  const onEvent = ({ step, status }: DeployEvent) => steps.push(`${step} ${status}`);
  const again = await deployEvm({ ...deployment, onEvent });
  expect(again).toMatchObject({ address: deployed.address, transaction: undefined });
  expect(steps).toEqual(["deploy unchanged", "setFinalizer unchanged", "addMember unchanged"]);

  const contract = await connectEvm({ rpcUrl, address: deployed.address, account });
  expect(contract).toMatchObject({ version: "2.1.0-acme", features: allFeatures });
  await writeRows(contract, rowsOf(3), initStage);
  expect(await contract.getStage(initStage)).toMatchObject({ count: 3n, revision: 1n });
});

test("a contract with only the published interface is deployed, whatever version it reports", async () => {
  const artifact = artifactOf("VersionedShape");
  const rpcUrl = chain().url;
  const account = await freshAccount(rpcUrl);
  const deployment = { rpcUrl, account, initStage, artifact };
  for (const role of [{ owner: accountOf(1) }, { finalizer: accountOf(1) }]) {
    await expect(deployEvm({ ...deployment, ...role })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
  const members = [accountOf(1)];
  const deployed = await deployEvm({ ...deployment, members });
  expect(deployed).toMatchObject({
    version: "2.1.0-acme",
    features: noFeatures,
    owner: undefined,
    finalizer: undefined,
  });
  expect(deployed.members).toHaveLength(2);
  expect(await deployEvm({ ...deployment, members })).toMatchObject({
    address: deployed.address,
    transaction: undefined,
  });

  const contract = await connectEvm({ rpcUrl, address: deployed.address, account });
  await writeRows(contract, rowsOf(3), initStage);
  expect(sorted(await readRows(contract, initStage))).toEqual(sorted(rowsOf(3)));
  expect(await contract.getStage(initStage)).toMatchObject({ total: 3003n, revision: undefined });
  expect(await write(contract, { kind: "finalizeStage", stage: initStage })).toMatchObject({ succeeded: true });
  expect((await deployEvm({ ...deployment, members })).address).not.toBe(deployed.address);
});

test("the sources contain the artifact's ABI and code, and the digest matches the file", async () => {
  const file = new URL("../artifacts/VipScore.json", import.meta.url);
  const artifact = JSON.parse(await readFile(file, "utf8")) as { readonly abi: unknown; readonly bytecode: string };
  expect(vipScoreAbi).toEqual(artifact.abi);
  expect(vipScoreBytecode).toBe(artifact.bytecode);
  const digest = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  expect(await readFile(new URL(`${file.href}.sha256`), "utf8")).toBe(`${digest}  VipScore.json\n`);
});

test("the stored code of the reference's shape matches its compiled source", async () => {
  const text = await readFile(new URL("data/referenceShape.json", import.meta.url), "utf8");
  expect((JSON.parse(text) as { readonly bytecode: string }).bytecode).toBe(inject("contracts").reference.bytecode);
});
