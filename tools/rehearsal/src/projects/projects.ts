import { checkPage } from "./checkPage.ts";
import { checkShrinkwrap } from "./checkShrinkwrap.ts";
import type { Command, Project } from "./project.ts";

const install: Command = ["npm", "install"];
const start: Command = ["npm", "run", "--silent", "start"];

/** The oldest Node that the packages name in `engines`, in the npm package of this platform. */
const oldestNode = `node-${process.platform}-${process.arch}`;
const oldestNodeVersion = "22.19.0";

const compile = (compiler: string, configuration: string): Command => [
  "node",
  `node_modules/${compiler}/bin/tsc`,
  "--project",
  `tsconfig.${configuration}.json`,
];

/** The projects that a rehearsal runs, in this order. */
export const projects: readonly Project[] = [
  {
    // The command as the README starts it, and the demo, which the command lets npm install.
    name: "empty",
    install: [],
    use: [
      ["npx", "--yes", "@vipscore/cli", "demo", "--vm", "evm"],
      ["sh", "-c", 'test "$(npx --yes @vipscore/cli --version)" = "$RELEASED_VERSION"'],
      ["npx", "--yes", "@vipscore/cli", "--help"],
    ],
  },
  {
    name: "node-esm",
    install: [install],
    use: [
      start,
      ["npm", "install", "--no-save", "--prefix", "oldest", `${oldestNode}@${oldestNodeVersion}`],
      [`oldest/node_modules/${oldestNode}/bin/node`, "main.js"],
    ],
    check: checkShrinkwrap,
  },
  {
    name: "typescript",
    install: [install],
    use: [
      compile("typescript", "nodenext"),
      compile("typescript", "bundler"),
      compile("typescript-oldest", "oldest-nodenext"),
      compile("typescript-oldest", "oldest-bundler"),
    ],
  },
  { name: "vite", install: [install], use: [start], check: checkPage },
  { name: "hardhat", install: [install], use: [start] },
];
