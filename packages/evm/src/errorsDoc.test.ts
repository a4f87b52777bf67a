import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";

const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
const errors = vipScoreAbi.filter((item) => item.type === "error");

it.each(errors.map((error) => `${error.name}(${error.inputs.map((input) => input.type).join(",")})`))(
  "docs/errors.md lists the contract's %s",
  (signature) => {
    expect(page).toContain(`\`${signature}\``);
  },
);
