"use client";

import { useEffect, useState } from "react";
import { claim, tokens, type Answer } from "../answers.ts";
import type { Rollup } from "../rollup.ts";

/** Reads the proof and the tokens in the browser. */
export function Claim({ rollup, account }: { rollup: Rollup; account: string }) {
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  useEffect(() => {
    const reads = fetch("/proofs.json").then((proofs) =>
      Promise.all([claim(proofs, account), tokens(rollup, account)]),
    );
    reads.then(setAnswers, (error: unknown) => setAnswers([["Not available", String(error)]]));
  }, [rollup, account]);
  return answers.map(([title, text]) => <li key={title}>{`${title}: ${text}`}</li>);
}
