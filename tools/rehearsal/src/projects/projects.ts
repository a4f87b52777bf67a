import { checkPage } from "./checkPage.ts";
import { checkShrinkwrap } from "./checkShrinkwrap.ts";

const install: Command = ["npm", "install"];
const start: Command = ["npm", "run", "--silent", "start"];

/** The oldest Node that the packages name in `engines`, in the npm package of this platform. */
const oldestNode = `node-${process.platform}-${process.arch}`;
const oldestNodeVersion = "22.19.0";

/** The newest and the oldest TypeScript that the packages work with, and the types of Node. */
const compilers = ["@types/node@22.20.5", "typescript@7.0.2", "typescript-oldest@npm:typescript@5.3.3"];

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
    // JavaScript first, without TypeScript: no package may need it to run.
    name: "node-esm",
    install: [install],
    use: [
      start,
      ["npm", "install", "--no-save", "--prefix", "oldest", `${oldestNode}@${oldestNodeVersion}`],
      [`oldest/node_modules/${oldestNode}/bin/node`, "main.js"],
      ["npm", "install", ...compilers],
      compile("typescript", "nodenext"),
      compile("typescript", "bundler"),
      compile("typescript-oldest", "oldest-nodenext"),
      compile("typescript-oldest", "oldest-bundler"),
    ],
    check: checkShrinkwrap,
  },
  { name: "vite", install: [install], use: [start], check: checkPage },
  { name: "hardhat", install: [install], use: [start] },
  {
    // The examples of the contract packages, in the tools of each VM, without a file of the repository.
    name: "contracts",
    isAuthor: true,
    install: [install],
    use: [
      ["npx", "vipscore", "new", "evm", "evm"],
      ["npm", "--prefix", "evm", "install"],
      ["npm", "--prefix", "evm", "test"],
      // Hardhat would compile all again for the other profile.
      ["npm", "--prefix", "evm", "run", "deploy", "--", "--build-profile", "default"],
      ["node", "rollup.js"],
      ["node", "foundry.js"],
      ["npx", "vipscore", "conform", "--artifact", "out/CappedScores.sol/CappedScores.json", "--only", "reference"],
      ["npx", "vipscore", "new", "wasm", "wasm"],
      ["npm", "--prefix", "wasm", "install"],
      ["rustup", "target", "add", "wasm32-unknown-unknown"],
      ["npm", "--prefix", "wasm", "run", "build"],
      ["node", "wasm.js"],
      ["npx", "vipscore", "new", "move", "move"],
      ["npm", "--prefix", "move", "install"],
      ["node", "move.js"],
    ],
  },
];

/** A command in a project's folder; `node` is the Node that runs the rehearsal. */
export type Command = readonly [program: string, ...args: readonly string[]];

/** A project that installs what was published and uses it. */
export interface Project {
  /** Its folder in `projects`; without one, the project starts in an empty folder. */
  readonly name: string;
  /** Whether the compilers of an author of contracts are on its PATH, and the local chains. Default: only Node is. */
  readonly isAuthor?: boolean;
  /** Commands that install it. */
  readonly install: readonly Command[];
  /** Commands that show that it works; each ends with status 0. */
  readonly use: readonly Command[];
  /** Further checks of the project's folder. */
  readonly check?: (folder: string) => Promise<void>;
}
