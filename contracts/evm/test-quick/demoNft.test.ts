import type { Address } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { openChain, someAddresses, type Chain, type Contract } from "./chain.ts";

describe("DemoNft", () => {
  let chain: Chain;
  let nft: Contract;
  let admin: Address;
  let anyone: Address;
  let other: Address;
  const [alice, bob] = someAddresses(2) as [Address, Address];

  beforeAll(async () => {
    chain = await openChain();
    [admin, anyone, other] = chain.accounts as [Address, Address, Address];
    nft = await chain.deploy("DemoNft", ["Demo", "DEMO"]);
  });

  const ownerOf = async (id: bigint) => nft.read<Address>("ownerOf", [id]);

  it("lets anyone mint, with ids from 1", async () => {
    expect((await nft.send(anyone, "mint", [[alice, bob]])).error).toBeUndefined();
    expect((await nft.send(other, "mint", [[other]])).error).toBeUndefined();
    expect([await ownerOf(1n), await ownerOf(2n), await ownerOf(3n)]).toEqual([alice, bob, other]);
    expect(await nft.read("lastId")).toBe(3n);
    expect(await nft.read("tokenURI", [3n])).toBe("https://nft.example.org/3");
    expect([await nft.read("name"), await nft.read("symbol")]).toEqual(["Demo", "DEMO"]);
  });

  it("lets the deployer move every token, an owner its own, and nobody else", async () => {
    expect((await nft.send(anyone, "transferMany", [[3n], [alice]])).error?.name).toBe("ERC721InsufficientApproval");
    expect((await nft.send(other, "transferMany", [[3n], [alice]])).error).toBeUndefined();
    expect(
      (
        await nft.send(admin, "transferMany", [
          [1n, 2n],
          [bob, other],
        ])
      ).error,
    ).toBeUndefined();
    expect([await ownerOf(1n), await ownerOf(2n), await ownerOf(3n)]).toEqual([bob, other, alice]);
  });

  it("refuses lists of different lengths, and ids that nobody owns", async () => {
    expect((await nft.send(admin, "transferMany", [[1n], []])).error?.name).toBe("LengthMismatch");
    expect((await nft.send(admin, "transferMany", [[9n], [bob]])).error?.name).toBe("ERC721NonexistentToken");
    expect((await nft.send(admin, "burn", [[9n]])).error?.name).toBe("ERC721NonexistentToken");
  });

  it("burns for the deployer and for an owner, and does not reuse an id", async () => {
    expect((await nft.send(anyone, "burn", [[1n]])).error?.name).toBe("ERC721InsufficientApproval");
    expect((await nft.send(other, "burn", [[2n]])).error).toBeUndefined();
    expect((await nft.send(admin, "burn", [[1n, 3n]])).error).toBeUndefined();
    expect((await nft.send(anyone, "mint", [[alice]])).error).toBeUndefined();
    expect(await ownerOf(4n)).toBe(alice);
    await expect(ownerOf(1n)).rejects.toMatchObject({ revert: { name: "ERC721NonexistentToken" } });
  });
});
