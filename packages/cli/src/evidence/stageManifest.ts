import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  CheckError,
  fileUnwritable,
  InputError,
  writeWholeFile,
  type ContractIdentity,
  type ScoreTable,
  type Stage,
} from "@vipscore/core";
import { digestScores } from "@vipscore/core/engine";
import { formatManifest, parseManifest, type ManifestChain, type ScoresManifest } from "@vipscore/core/manifest";
import type { ReportEvidence } from "@vipscore/report";
import type { Context } from "../context.ts";
import { readFileText } from "../files/readFileText.ts";
import { pathOf } from "../files/readTable.ts";

/** Reads a manifest. @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` with the field. */
export async function readManifest({ io }: Context, file: string): Promise<ScoresManifest> {
  return parseManifest(await readFileText(io, file), file);
}

/** The manifest that a command on a stage takes with `--manifest`, checks and completes. */
export class StageManifest {
  readonly #context: Context;
  /** The file as given. */
  readonly #file: string;
  readonly manifest: ScoresManifest;

  private constructor(context: Context, file: string, manifest: ScoresManifest) {
    this.#context = context;
    this.#file = file;
    this.manifest = manifest;
  }

  /**
   * Reads a manifest that the command will complete; returns undefined without a file.
   *
   * @throws InputError `FILE_UNREADABLE`, `INPUT_INVALID` also for another stage; `FILE_UNWRITABLE`.
   */
  static async open(context: Context, file: string | undefined, stage: Stage): Promise<StageManifest | undefined> {
    if (file === undefined) return undefined;
    const opened = await StageManifest.read(context, file, stage);
    const path = pathOf(context.io, file);
    try {
      // Nothing has been sent yet, so that a file that cannot be completed costs nothing.
      for (const place of [path, dirname(path)]) await access(place, constants.W_OK);
    } catch (error) {
      throw fileUnwritable(file, error);
    }
    return opened;
  }

  /**
   * Reads a manifest; returns undefined without a file.
   *
   * @throws InputError `FILE_UNREADABLE`, `INPUT_INVALID` also for another stage.
   */
  static async read(context: Context, file: string | undefined, stage: Stage): Promise<StageManifest | undefined> {
    if (file === undefined) return undefined;
    const manifest = await readManifest(context, file);
    if (manifest.stage !== stage) {
      throw new InputError(`${file} is of stage ${manifest.stage}, not of stage ${stage}`);
    }
    return new StageManifest(context, file, manifest);
  }

  /** The part of it that a report shows. */
  get evidence(): ReportEvidence {
    const { policy, window, sources, versions, scores, excluded } = this.manifest;
    return { manifest: basename(this.#file), policy, window, sources, versions, sha256: scores.sha256, excluded };
  }

  /** @throws InputError `INPUT_INVALID` for another table than the manifest's. */
  requireTable(table: ScoreTable, name: string): void {
    const { sha256 } = this.manifest.scores;
    if (table.digest() === sha256) return;
    throw new InputError(`${name} does not have the scores of ${this.#file}`, {
      metaMessages: [`${name} has the sha256 ${table.digest()}, the manifest names ${sha256}.`],
    });
  }

  /** @throws CheckError `VERIFY_MISMATCH` if a stage holds other scores than the manifest's. */
  requireScores(scores: Parameters<typeof digestScores>[0]): void {
    const { stage, scores: recorded } = this.manifest;
    const sha256 = digestScores(scores);
    if (sha256 === recorded.sha256) return;
    throw new CheckError(`stage ${stage} does not hold the scores of ${this.#file}`, {
      code: "VERIFY_MISMATCH",
      metaMessages: [`The stage has the sha256 ${sha256}, the manifest names ${recorded.sha256}.`],
    });
  }

  /** @throws InputError `INPUT_INVALID` for a contract of another chain or VM, or another one than scores were pushed to. */
  requireContract({ vm, chainId, address }: ContractIdentity): void {
    const { rollup, chain } = this.manifest;
    if (chainId !== rollup.chainId) {
      throw new InputError(`${this.#file} is of chain ${rollup.chainId}, and the contract is on ${chainId}`);
    }
    if (rollup.vm !== undefined && rollup.vm !== vm) {
      throw new InputError(`${this.#file} is of a rollup with the ${rollup.vm} VM, and the contract's has ${vm}`);
    }
    if (chain === undefined || chain.contract.address.toLowerCase() === address.toLowerCase()) return;
    throw new InputError(`${this.#file} is of a push to ${chain.contract.address}, not to ${address}`, {
      metaMessages: ["Name that contract with --contract, or remove chain from the manifest."],
    });
  }

  /**
   * Adds to what the manifest has about the chain, and keeps the rest.
   *
   * @throws InputError `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `INPUT_INVALID`.
   */
  async record(contract: ContractIdentity, change: (chain: ManifestChain) => Partial<ManifestChain>): Promise<void> {
    const { io, output } = this.#context;
    const none = { contract, transactions: [], finalization: undefined, snapshot: undefined };
    // Read again, because a push takes long enough for another command to complete it too.
    const manifest = await readManifest(this.#context, this.#file);
    const chain = manifest.chain ?? none;
    const text = formatManifest({ ...manifest, chain: { ...chain, ...change(chain) } });
    try {
      await writeWholeFile(pathOf(io, this.#file), text);
    } catch (error) {
      throw fileUnwritable(this.#file, error, ["What it was to record is done, and on the chain."]);
    }
    output.note(`recorded in ${this.#file}`);
  }
}
