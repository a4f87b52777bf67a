import type { Account, ReadOptions } from "@vipscore/core";
import type { HeightFloor } from "@vipscore/core/wire";
import type { ContractReader } from "./callContract.ts";
import { readIds } from "./readIds.ts";

/** The numbers under which our contract knows accounts. A number never changes, so each is asked for once. */
export class AccountIds {
  readonly #reader: ContractReader;
  readonly #heights: HeightFloor;
  readonly #known = new Map<Account, number>();

  constructor(reader: ContractReader, heights: HeightFloor) {
    this.#reader = reader;
    this.#heights = heights;
  }

  /** The accounts' numbers in the accounts' order; undefined for one that the contract does not know at the height. */
  async find(accounts: readonly Account[], options: ReadOptions): Promise<readonly (number | undefined)[]> {
    const missing = accounts.filter((account) => !this.#known.has(account));
    if (missing.length > 0) await this.#read(missing, options);
    return accounts.map((account) => this.#known.get(account));
  }

  async #read(missing: readonly Account[], options: ReadOptions): Promise<void> {
    const ids = await readIds(this.#reader, missing, await this.#heights.pin(options));
    for (const [index, account] of missing.entries()) {
      const id = ids[index];
      if (id !== undefined) this.#known.set(account, id);
    }
  }
}
