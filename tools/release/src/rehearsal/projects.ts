import { join } from "node:path";
import { checkFrontends } from "./checkFrontends.ts";
import { checkImages } from "./checkImages.ts";
import { checkPage } from "./checkPage.ts";
import { checkWallet } from "./checkWallet.ts";

const install: Command = ["npm", "install"];
const start: Command = ["npm", "run", "--silent", "start"];

/** The oldest Node that the packages name in `engines`, in the npm package of this platform. */
const oldestNode = `node-${process.platform}-${process.arch}`;
const oldestNodeVersion = "22.19.0";

const strict =
  "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --resolveJsonModule" +
  " --target es2022 --lib es2023,dom --types node";
const sources = ["src/deployMove.ts", "src/entries.ts", "src/stage.ts"];
const compile = (compiler: string, module: string, moduleResolution: string, ...more: readonly string[]): Command => {
  const options = ["--module", module, "--moduleResolution", moduleResolution, ...strict.split(" "), ...more];
  return ["node", `node_modules/${compiler}/bin/tsc`, ...options, ...sources];
};

const pnpm: Command = ["npx", "--yes", "pnpm@12.21.0"];
const yarn: Command = ["npx", "--yes", "--package", "@yarnpkg/cli-dist@4.18.1", "yarn"];

const newViem = "viem@2.57.20";
const types = ["typescript@7.0.2", "@types/node@22.20.5"];
const next = [
  "next@16.4.6",
  "react@19.3.1",
  "react-dom@19.3.1",
  "@types/react@19.3.3",
  "@types/react-dom@19.3.0",
  ...types,
];
/** A value of one copy of viem does not fit another one. */
const oneViem: Command = ["sh", "-c", 'test "$(npm ls --all --parseable viem)" = "$PWD/node_modules/viem"'];
const pushWithOneViem: readonly Command[] = [
  oneViem,
  ["npx", "tsc", "--module", "nodenext", ...strict.split(" "), "push.mts"],
  ["node", "push.mts"],
];

/** The crates of an author's project, with which CI tests `vip-score`. What is published later does not fail a rehearsal. */
const crates = join(import.meta.dirname, "../../../../contracts/wasm/tests/newest/Cargo.lock");

/** The projects that a rehearsal runs, in this order. */
export const projects: readonly Project[] = [
  {
    // The command as the README starts it, and the demo, which the command lets npm install.
    name: "empty",
    commands: [
      ["npx", "--yes", "@vipscore/cli", "demo", "--vm", "evm"],
      ["sh", "-c", 'test "$(npx --yes @vipscore/cli --version)" = "$RELEASED_VERSION"'],
      ["npx", "--yes", "@vipscore/cli", "--help"],
    ],
  },
  {
    // In this layout a package finds what it declares, and nothing that npm has installed for another one.
    name: "node-esm",
    commands: [
      [...install, "--install-strategy=linked"],
      start,
      ["npm", "install", "--no-save", "--prefix", "oldest", `${oldestNode}@${oldestNodeVersion}`],
      [`oldest/node_modules/${oldestNode}/bin/node`, "main.js"],
      compile("typescript", "nodenext", "nodenext"),
      compile("typescript", "esnext", "bundler"),
      compile("typescript-oldest", "nodenext", "nodenext", "--skipLibCheck"),
      compile("typescript-oldest", "esnext", "bundler", "--skipLibCheck"),
    ],
  },
  {
    name: "vite",
    commands: [
      ["npx", "--yes", "@vipscore/cli", "new", "page", "page"],
      ["npm", "--prefix", "page", "install"],
    ],
    check: checkPage,
  },
  {
    // The examples of the contract packages, in the tools of each VM, without a file of the repository but the lock of crates.
    name: "contracts",
    group: "authors",
    commands: [
      install,
      ["npx", "vipscore", "new", "evm", "evm"],
      ["npm", "--prefix", "evm", "install"],
      ["npm", "--prefix", "evm", "test"],
      ["node", "rollup.js"],
      ["node", "foundry.js"],
      [
        "npx",
        "vipscore",
        "conform",
        "--artifact",
        "out/CappedScores.sol/CappedScores.json",
        "--only",
        "reference",
        "--seed",
        "1",
      ],
      ["npx", "vipscore", "new", "wasm", "wasm"],
      ["node", "-e", `fs.copyFileSync(${JSON.stringify(crates)}, "wasm/Cargo.lock")`],
      ["npm", "--prefix", "wasm", "install"],
      ["rustup", "target", "add", "wasm32-unknown-unknown"],
      ["npm", "--prefix", "wasm", "run", "build"],
      ["node", "wasm.js"],
      ["npx", "vipscore", "new", "move", "move"],
      ["npm", "--prefix", "move", "install"],
      ["node", "move.js"],
    ],
  },
  {
    name: "pnpm",
    template: "managers",
    group: "managers",
    commands: [
      [...pnpm, "install"],
      [...pnpm, "start"],
    ],
  },
  {
    name: "yarn",
    template: "managers",
    group: "managers",
    commands: [
      [...yarn, "install"],
      [...yarn, "start"],
    ],
  },
  {
    // The page of `vipscore new page` with other bundlers, and its code in Next.js and in a worker.
    name: "frontends",
    group: "frontends",
    commands: [
      ["npx", "--yes", "@vipscore/cli", "new", "page", "page"],
      ["npm", "--prefix", "page", "install"],
      [
        ...install,
        "@vipscore/contracts-evm",
        "@vipscore/core",
        "@vipscore/indexer-client",
        "@vipscore/snapshot",
        newViem,
      ],
      oneViem,
      [...install, ...next],
      [...install, "parcel@2.16.4"],
      [...install, "esbuild@0.28.2", "workerd@1.20261117.1"],
    ],
    check: checkFrontends,
  },
  {
    // The example that applications copy: a wallet's view of an EVM rollup with an L1, and of a Move rollup.
    name: "wallet",
    template: "../../../examples/wallet",
    group: "frontends",
    commands: [install, ["npm", "run", "build"]],
    check: checkWallet,
  },
  {
    // The folder that an operator copies.
    name: "images",
    template: "../../../docs/operations",
    group: "images",
    commands: [],
    check: checkImages,
  },
  {
    name: "hardhat2",
    group: "frontends",
    commands: [
      [...install, "@vipscore/contracts-evm", "hardhat@2.29.1", "solc@0.8.37", newViem],
      ["npx", "hardhat", "test"],
    ],
  },
  {
    // The oldest viem that @vipscore/evm takes, and a new one.
    name: "viem",
    group: "frontends",
    commands: [
      [...install, "@vipscore/evm", "@vipscore/core", "@vipscore/localnet", "viem@2.43.0", ...types],
      ...pushWithOneViem,
      [...install, newViem],
      ...pushWithOneViem,
    ],
  },
];

/** A command in a project's folder; `node` is the Node that runs the rehearsal. */
type Command = readonly [program: string, ...args: readonly string[]];

/** A project that installs what was published and uses it. */
export interface Project {
  readonly name: string;
  /** Its folder, from `projects`; without one, the project starts in an empty folder. Default: its name. */
  readonly template?: string;
  /**
   * `authors`: the compilers of an author of contracts are on its PATH, and the local chains. At night: `managers`, other package
   * managers, `frontends`, what else a front end is built with, and `images`. Default: `users`. All but authors have Node alone on
   * the PATH.
   */
  readonly group?: "authors" | "frontends" | "images" | "managers";
  /** Commands that install it and show that it works; each ends with status 0. */
  readonly commands: readonly Command[];
  /** Further checks of the project's folder. */
  readonly check?: (folder: string, env: NodeJS.ProcessEnv) => Promise<void>;
}
