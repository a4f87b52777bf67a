import type { Address } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { someAddresses } from "./someAddress.ts";

describe("DemoNft", () => {
  let chain: Chain;
  let nft: Contract;
  let anyone: Address;
  let other: Address;
  const [alice, bob] = someAddresses(2) as [Address, Address];

  beforeAll(async () => {
    chain = await openChain();
    [, anyone, other] = chain.accounts as [Address, Address, Address];
    nft = await chain.viem.deployContract("DemoNft", ["Demo", "DEMO"]);
  });

  const ownerOf = async (id: bigint) => nft.read.ownerOf([id]);
  const expectRevert = async (call: Promise<unknown>, name: string) =>
    chain.viem.assertions.revertWithCustomError(call, nft, name);

  it("lets anyone mint, with ids from 1", async () => {
    await nft.write.mint([[alice, bob]], { account: anyone });
    await nft.write.mint([[other]], { account: other });
    expect([await ownerOf(1n), await ownerOf(2n), await ownerOf(3n)]).toEqual([alice, bob, other]);
    expect(await nft.read.lastId()).toBe(3n);
    expect(await nft.read.tokenURI([3n])).toBe("https://nft.example.org/3");
    expect([await nft.read.name(), await nft.read.symbol()]).toEqual(["Demo", "DEMO"]);
  });

  it("lets the deployer move every token, an owner its own, and nobody else", async () => {
    await expectRevert(nft.write.transferMany([[3n], [alice]], { account: anyone }), "ERC721InsufficientApproval");
    await nft.write.transferMany([[3n], [alice]], { account: other });
    await nft.write.transferMany([
      [1n, 2n],
      [bob, other],
    ]);
    expect([await ownerOf(1n), await ownerOf(2n), await ownerOf(3n)]).toEqual([bob, other, alice]);
  });

  it("refuses lists of different lengths, and ids that nobody owns", async () => {
    await expectRevert(nft.write.transferMany([[1n], []]), "LengthMismatch");
    await expectRevert(nft.write.transferMany([[9n], [bob]]), "ERC721NonexistentToken");
    await expectRevert(nft.write.burn([[9n]]), "ERC721NonexistentToken");
  });

  it("burns for the deployer and for an owner, and does not reuse an id", async () => {
    await expectRevert(nft.write.burn([[1n]], { account: anyone }), "ERC721InsufficientApproval");
    await nft.write.burn([[2n]], { account: other });
    await nft.write.burn([[1n, 3n]]);
    await nft.write.mint([[alice]], { account: anyone });
    expect(await ownerOf(4n)).toBe(alice);
    await expectRevert(ownerOf(1n), "ERC721NonexistentToken");
  });
});
