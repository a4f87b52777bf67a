import type { Account, ReadOptions } from "@vipscore/core";
import type { ContractReader } from "./callContract.ts";
import { readIds } from "./readIds.ts";

/** The numbers under which our contract knows accounts. A number never changes, so each is asked for once. */
export class AccountIds {
  readonly #reader: ContractReader;
  readonly #known = new Map<Account, number>();

  constructor(reader: ContractReader) {
    this.#reader = reader;
  }

  /** The accounts' numbers in the accounts' order; undefined for one that the contract does not know at the height. */
  async find(accounts: readonly Account[], options: ReadOptions): Promise<readonly (number | undefined)[]> {
    const missing = accounts.filter((account) => !this.#known.has(account));
    const ids = missing.length === 0 ? [] : await readIds(this.#reader, missing, options);
    for (const [index, account] of missing.entries()) {
      const id = ids[index];
      if (id !== undefined) this.#known.set(account, id);
    }
    return accounts.map((account) => this.#known.get(account));
  }
}
