import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import type { ContractIdentity } from "../contractIdentity.ts";
import { fileUnwritable, InputError } from "../errors/inputError.ts";
import { VipError } from "../errors/vipError.ts";
import { readFileText } from "../readJsonFile.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { Stage } from "../stage.ts";
import { digestScores, type ScoresByAccount, type ScoreTable } from "../table/scoreTable.ts";
import { writeWholeFile } from "../writeWholeFile.ts";
import { formatManifest } from "./formatManifest.ts";
import { parseManifest } from "./parseManifest.ts";
import type { ManifestChain, ScoresManifest } from "./scoresManifest.ts";

/**
 * Reads a manifest.
 *
 * @param name The file as given, for messages.
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` with the field; the signal's reason when aborted.
 */
export async function readManifest(path: string, name: string, options: SignalOptions = {}): Promise<ScoresManifest> {
  return parseManifest(await readFileText(path, name, options), name);
}

/** The manifest of a stage's scores, which work on the stage checks and completes. */
export class StageManifest {
  readonly #path: string;
  /** The file as given, for messages. */
  readonly #name: string;
  readonly manifest: ScoresManifest;

  private constructor(path: string, name: string, manifest: ScoresManifest) {
    this.#path = path;
    this.#name = name;
    this.manifest = manifest;
  }

  /**
   * Reads the manifest of a stage.
   *
   * @param name The file as given, for messages.
   * @param stage Undefined for the manifest of any stage.
   * @param options `willRecord` also checks that the file can be written: while nothing has been sent, a file that cannot be
   * completed costs nothing.
   * @throws InputError `FILE_UNREADABLE`, `INPUT_INVALID` also for another stage; `FILE_UNWRITABLE`.
   */
  static async open(
    path: string,
    name: string,
    stage: Stage | undefined,
    { willRecord, signal }: SignalOptions & { readonly willRecord: boolean },
  ): Promise<StageManifest> {
    const manifest = await readManifest(path, name, { signal });
    if (stage !== undefined && manifest.stage !== stage)
      throw new InputError(`${name} is for stage ${manifest.stage}, not stage ${stage}`);
    try {
      if (willRecord) for (const place of [path, dirname(path)]) await access(place, constants.W_OK);
    } catch (error) {
      throw fileUnwritable(name, error);
    }
    return new StageManifest(path, name, manifest);
  }

  /** @throws InputError `INPUT_INVALID` for another table than the manifest's. */
  requireTable(table: ScoreTable, name: string): void {
    const { sha256 } = this.manifest.scores;
    if (table.digest() === sha256) return;
    throw new InputError(`${name} does not have the scores of ${this.#name}`, {
      metaMessages: [`${name} has the sha256 ${table.digest()}, the manifest names ${sha256}.`],
    });
  }

  /** @throws VipError `VERIFY_MISMATCH` if a stage holds other scores than the manifest's. */
  requireScores(scores: ScoresByAccount): void {
    const { stage, scores: recorded } = this.manifest;
    const sha256 = digestScores(scores);
    if (sha256 === recorded.sha256) return;
    throw new VipError(`stage ${stage} does not hold the scores of ${this.#name}`, {
      code: "VERIFY_MISMATCH",
      metaMessages: [`The stage has the sha256 ${sha256}, the manifest names ${recorded.sha256}.`],
    });
  }

  /** @throws InputError `INPUT_INVALID` for a contract of another chain or VM, or another one than scores were pushed to. */
  requireContract({ vm, chainId, address }: ContractIdentity): void {
    const { rollup, chain } = this.manifest;
    if (chainId !== rollup.chainId) {
      throw new InputError(`${this.#name} is for chain ${rollup.chainId}, but the contract is on ${chainId}`);
    }
    if (rollup.vm !== undefined && rollup.vm !== vm) {
      throw new InputError(`${this.#name} is for a rollup with the ${rollup.vm} VM, but the contract's has ${vm}`);
    }
    if (chain === undefined || chain.contract.address.toLowerCase() === address.toLowerCase()) return;
    throw new InputError(`${this.#name} records a push to ${chain.contract.address}, not to ${address}`, {
      metaMessages: [{ code: "name-contract", text: "Name that contract, or remove chain from the manifest." }],
    });
  }

  /**
   * Adds to what the manifest has about the chain, and keeps the rest.
   *
   * @returns A note for people.
   * @throws InputError `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `INPUT_INVALID`.
   */
  async record(contract: ContractIdentity, change: (chain: ManifestChain) => Partial<ManifestChain>): Promise<string> {
    // Read again, because a push takes long enough for another command to complete it too.
    const manifest = await readManifest(this.#path, this.#name);
    const { chain = { contract, transactions: [], finalization: undefined, snapshot: undefined } } = manifest;
    const text = formatManifest({ ...manifest, chain: { ...chain, ...change(chain) } });
    try {
      await writeWholeFile(this.#path, text);
    } catch (error) {
      throw fileUnwritable(this.#name, error, ["What it should record has succeeded and is on the chain."]);
    }
    return `recorded in ${this.#name}`;
  }
}
