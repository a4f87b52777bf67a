import { expect, test } from "vitest";
import type { Balancer } from "../balancer/startBalancer.ts";
import { until } from "../until.ts";

const hour = 3_600_000;

/** A node as seen by any client, without the adapter. */
export interface NodeView {
  readonly url: string;
  /** Starts an endpoint over one replica that is this many milliseconds behind the node. */
  readonly balance: (lagMs: number) => Promise<Balancer>;
  readonly heightOf: (url: string) => Promise<bigint>;
  /** The balance of an account at a height. Default: the newest. */
  readonly balanceOf: (url: string, address: string, height?: bigint) => Promise<bigint>;
  /** Funds a new account and returns its address. */
  readonly fund: () => Promise<string>;
}

/** Registers the tests of the balanced endpoint, which other tests use to see late state, on a VM's own node. */
export function testBalancedEndpoint(view: () => NodeView): void {
  test("a replica that is behind shows the node's earlier state", async () => {
    const { url, balance, heightOf, balanceOf, fund } = view();
    await using late = await balance(hour);
    const head = await heightOf(late.url);
    const address = await fund();
    expect(await balanceOf(url, address)).toBeGreaterThan(0n);
    expect(await heightOf(url)).toBeGreaterThan(head);
    expect(await heightOf(late.url)).toBe(head);
    expect(await balanceOf(late.url, address)).toBe(0n);
    expect(await balanceOf(late.url, address, head)).toBe(0n);
  });

  test("a replica catches up with the node's state", async () => {
    const { url, balance, heightOf, balanceOf, fund } = view();
    await using near = await balance(200);
    const address = await fund();
    const seen = await heightOf(url);
    await until(`height ${seen} on the replica`, async () => (await heightOf(near.url)) >= seen);
    expect(await balanceOf(near.url, address)).toBe(await balanceOf(url, address));
  });
}
