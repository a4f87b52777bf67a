"use client";

import { useEffect, useState } from "react";
import { claim, tokens } from "../answers.ts";
import type { Rollup } from "../rollup.ts";

/** Reads the proof and the tokens in the browser. */
export function Claim({ rollup, account }: { rollup: Rollup; account: string }) {
  const [texts, setTexts] = useState<readonly string[]>([]);
  useEffect(() => {
    const reads = fetch("/proofs.json").then((proofs) =>
      Promise.all([claim(proofs, account), tokens(rollup, account)]),
    );
    reads.then(setTexts, (error: unknown) => setTexts([String(error)]));
  }, [rollup, account]);
  return texts.map((text) => <li key={text}>{text}</li>);
}
