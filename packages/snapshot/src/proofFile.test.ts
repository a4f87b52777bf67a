import { expect, test } from "vitest";
import { buildSnapshot, checkProofs, formatProofs, type ProofFile } from "./index.ts";

const account = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
const rows = [
  { account, score: 5n },
  { account: `0x${"ab".repeat(20)}`, score: 7n },
];
const snapshot = buildSnapshot({ bridgeId: 1n, stage: 3n, rows, total: 12n });

async function textOf(leaves: Parameters<typeof formatProofs>[1] = snapshot): Promise<string> {
  let text = "";
  for await (const piece of formatProofs(snapshot, leaves, undefined)) text += piece;
  return text;
}

test("a proof file is an answer of fetch, its text, pieces of it, or its parsed JSON", async () => {
  const text = await textOf();
  const forms: Record<string, ProofFile> = {
    text,
    pieces: formatProofs(snapshot, snapshot, undefined),
    json: JSON.parse(text) as { leaves: object[] },
    answer: new Response(text),
  };
  for (const [form, file] of Object.entries(forms)) {
    const checked = await checkProofs(file);
    expect({ form, ...checked }).toMatchObject({ form, checked: 2, wrongCount: 0, sum: 12n, root: snapshot.root });
  }
});

test.each([account, "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475", "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"])(
  "checks the proof of %s alone",
  async (spelled) => {
    const { leaf, checked, wrongCount } = await checkProofs(await textOf(), { account: spelled });
    expect({ leaf, checked, wrongCount }).toMatchObject({ leaf: { account, score: 5n }, checked: 1, wrongCount: 0 });
  },
);

test("an answer with an error and an invalid account are refused", async () => {
  await expect(checkProofs(new Response("gone", { status: 404 }), { name: "proofs.json" })).rejects.toMatchObject({
    code: "FILE_UNREADABLE",
    shortMessage: expect.stringContaining("404") as string,
  });
  await expect(checkProofs(await textOf(), { account: "0x12" })).rejects.toMatchObject({ code: "INPUT_INVALID" });
});
