/** A range of several blocks has more in it than its reader may hold in memory. */
export class RangeTooFull extends Error {
  override readonly name: string = "RangeTooFull";
  /** Number of blocks from its start to read instead, at least 1. */
  readonly blocks: number;

  constructor(blocks: number) {
    super(`the range is too full; read ${blocks} blocks of it`);
    this.blocks = blocks;
  }
}
