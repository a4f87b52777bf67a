import { expect, it } from "vitest";
import { packedFaults } from "./packedFaults.ts";
import type { PackedFile } from "./packedFile.ts";

const file = (path: string, content: string | object = ""): PackedFile => ({
  path,
  content: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
});
const manifest = (dependencies: object = {}, version = "1.2.3"): PackedFile =>
  file("package.json", { name: "@vipscore/a", version, dependencies });
const needed = [manifest({ "@vipscore/b": "1.2.3", other: "5.0.0" }), file("README.md"), file("LICENSE")];
const options = {
  name: "@vipscore/a",
  version: "1.2.3",
  names: ["@vipscore/a", "@vipscore/b"],
  folders: ["/build/here/"],
};

it("accepts what a build makes of sources, and artifacts", () => {
  const files = [
    file("dist/wire/a.js", 'const path = "/tmp"; // https://example.org/home/page'),
    file("dist/wire/a.js.map", { sources: ["../../src/wire/a.ts"] }),
    file("dist/wire/a.d.ts"),
    file("src/wire/a.ts"),
    file("dist/abi.generated.js"),
    file("src/abi.generated.ts"),
    file("artifacts/VipScore.json.sha256"),
    file("examples/game/policy.evm.toml"),
    file("bin/vipscore.js"),
    file("src/VipScore.sol"),
    file("src/store/pages.rs"),
    file("examples/game/src/lib.rs"),
    file("examples/game/tests/wins.rs"),
    file("examples/test/Arena.t.sol"),
    file("examples/package.json"),
    file("examples/ignition/modules/arena.js"),
    file("ignition/vipScore.js"),
    file("fork/mean_score.patch"),
    file("arena/sources/arena.move"),
    file("move/one_score.move"),
    file("sources/vip_score.move"),
    file("Move.toml"),
    file("SPEC.md"),
  ];
  expect(packedFaults([...needed, ...files], options)).toEqual([]);
});

it.each([
  ["src/a.test.ts", "", "is not a kind of file that packages have"],
  ["fixtures/ReferenceShape.sol", "", "is not a kind of file that packages have"],
  ["tests/stage_tests.move", "", "is not a kind of file that packages have"],
  ["dist/tsconfig.tsbuildinfo", "", "is not a kind of file that packages have"],
  ["src/testkit/a.ts", "", "is part of the tests"],
  ["dist/spec/a.js", "", "is part of the tests"],
  ["dist/old.js", "", "was not built from src/old.ts"],
  ["src/new.ts", "", "was not built to dist/new.js"],
  ["artifacts/a.json", 'const a = "/home/somebody/a";', "names /home/somebody"],
  ["artifacts/a.json", 'import a from "file:///tmp/a/b.ts";', "names file:///tmp/a"],
  ["bin/vipnode-move", "", "is not a kind of file that packages have"],
  ["npm-shrinkwrap.json", "", "is not a kind of file that packages have"],
  ["artifacts/a.wasm", "\0 panicked at /build/here/a.rs", "names /build/here/"],
])("refuses %s with %j", (path, content, reason) => {
  expect(packedFaults([...needed, file(path, content)], options)).toEqual([`${path}  ${reason}`]);
});

it("requires a shrinkwrap in the command", () => {
  const command = { ...options, name: "@vipscore/cli" };
  expect(packedFaults([...needed, file("npm-shrinkwrap.json", {})], command)).toEqual([]);
  expect(packedFaults(needed, command)).toEqual(["npm-shrinkwrap.json  is missing"]);
});

it("accepts programs, libraries and licenses as prebuilt chains, and nothing else", () => {
  const prebuilt = { ...options, name: "@vipscore/vipnode-linux-x64" };
  const files = [
    manifest(),
    file("README.md"),
    file("LICENSE.md"),
    file("bin/vipnode-move"),
    file("bin/vipnode-wasm"),
    file("bin/libcompiler.x86_64.so"),
    file("bin/libwasmvm.dylib"),
  ];
  expect(packedFaults(files, prebuilt)).toEqual([]);
  expect(packedFaults([...files.slice(0, -3), file("dist/a.js")], prebuilt)).toEqual([
    "bin/vipnode-wasm  is missing",
    "dist/a.js  is not a kind of file that packages have",
  ]);
});

it("refuses a map to a source that is not packed", () => {
  const files = [file("dist/a.js"), file("dist/a.js.map", { sources: ["../../../tools/b.ts"] }), file("src/a.ts")];
  expect(packedFaults([...needed, ...files], options)).toEqual([
    "dist/a.js.map  leads to ../../../tools/b.ts, which is not packed",
  ]);
});

it("refuses dependencies that no user can install, and missing files", () => {
  const packed = manifest({ "@vipscore/b": "*", "@vipscore/testkit": "1.2.3" }, "1.2.2");
  expect(packedFaults([packed], options)).toEqual([
    "README.md  is missing",
    "LICENSE  is missing",
    "package.json  has version 1.2.2",
    "package.json  needs @vipscore/testkit, which is not released",
    "package.json  needs @vipscore/b@*",
  ]);
});
