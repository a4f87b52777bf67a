import { pause } from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { readL1GasPrice, type GasPrice } from "@vipscore/cosmos";
import { readBridgeOnL1, type BridgeOnL1, type StageOnL1, type VipOptions } from "@vipscore/l1";
import { times } from "../times.ts";
import { patiently, type Patience } from "./patiently.ts";

/** Location of L1, and of its module `vip`. */
export type L1Location = Pick<VipOptions, "l1RestUrl" | "vipAddress">;

/** What L1 said of the bridge when it was last read. */
export interface L1View extends BridgeOnL1 {
  /** What a transaction should pay on L1; undefined if gas is free. */
  readonly gasPrice: GasPrice | undefined;
}

/** Watches what L1 says of the bridge's stages. */
export class L1Watch {
  readonly location: L1Location;
  readonly #readBridgeId: () => Promise<bigint | undefined>;
  #view: L1View | undefined;
  #version = 0;

  /** @param readBridgeId - Reads the bridge of the index; undefined before a follower has named it. */
  constructor(location: L1Location, readBridgeId: () => Promise<bigint | undefined>) {
    [this.location, this.#readBridgeId] = [location, readBridgeId];
  }

  /** Undefined before L1 was read, or without a bridge. */
  get view(): L1View | undefined {
    return this.#view;
  }

  /** Counts the readings that showed other stages. */
  get version(): number {
    return this.#version;
  }

  /** @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted. */
  async read(signal: AbortSignal | undefined): Promise<void> {
    const bridgeId = await this.#readBridgeId();
    if (bridgeId === undefined) return;
    const known = this.#view?.bridgeId === bridgeId ? this.#view : undefined;
    const [bridge, gas] = await Promise.all([
      readBridgeOnL1({ ...this.location, bridgeId, signal }, known),
      readL1GasPrice(openRest(this.location.l1RestUrl), signal),
    ]);
    if (textOf(bridge.stages) !== textOf(known?.stages)) this.#version += 1;
    this.#view = { ...bridge, gasPrice: gas?.price };
  }

  /** Reads again and again until the signal aborts, and retries a failing node without limit. @throws like {@link read}. */
  async follow(patience: Patience): Promise<void> {
    const { signal } = patience;
    try {
      while (!signal.aborted) {
        await pause(times.readL1Ms, signal);
        await patiently(() => this.read(signal), patience);
      }
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    }
  }
}

/** A text that differs where the API shows another stage. */
function textOf(stages: readonly StageOnL1[] = []): string {
  const texts = stages.map(({ bridge, stage, snapshot, users }) =>
    [bridge.version, stage, snapshot?.root, snapshot?.total, snapshot?.updatedAt.getTime(), users].join(),
  );
  return texts.join(" ");
}
