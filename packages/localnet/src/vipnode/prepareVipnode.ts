import { VipError } from "@vipscore/core";
import { buildVipnodesFrom, findVipnodeBuild, type BuildVipnodeOptions } from "./buildVipnode.ts";
import type { CompileVipnodeOptions } from "./compileVipnode.ts";
import { toolchainName } from "./goToolchain.ts";
import { findPrebuiltVipnode, localnetVersion, prebuiltName } from "./prebuiltVipnode.ts";

/**
 * Returns the path of the program `vipnode-move` or `vipnode-wasm`. Where the Go sources of `@vipscore/vipnode`, Go and a C
 * compiler are present, it is built from the sources ({@link buildVipnode}), because a checkout may have changed them.
 * Otherwise it is the one of the prebuilt package, e.g. `@vipscore/vipnode-linux-x64`.
 *
 * @throws CONFIG_INVALID if vipnode can neither be built nor is prebuilt, or the build fails; the signal's reason when
 * aborted.
 */
export async function prepareVipnode({ vm, ...options }: BuildVipnodeOptions): Promise<string> {
  const [program = ""] = await prepareVipnodes({ ...options, vms: [vm] });
  return program;
}

/**
 * Returns programs that start chains: built from the sources where these and Go are installed, otherwise prebuilt.
 *
 * @returns the paths of the programs in the order of `vms`.
 * @throws CONFIG_INVALID if one can neither be built nor is prebuilt, or the build fails; the signal's reason when aborted.
 */
export async function prepareVipnodes(options: CompileVipnodeOptions): Promise<readonly string[]> {
  const build = await findVipnodeBuild();
  if (!("missing" in build)) return buildVipnodesFrom(build, options);
  const prebuilt = findPrebuiltVipnode();
  if (!("missing" in prebuilt)) return options.vms.map(prebuilt.program);
  const chains = options.vms.map((vm) => `vipnode-${vm}`).join(" and ");
  throw new VipError(`${chains} cannot run: ${prebuilt.missing}, and it cannot be built: ${build.missing}`, {
    code: "CONFIG_INVALID",
    metaMessages: [
      `Install ${prebuiltName} ${localnetVersion}, or in a checkout of vipscore ${toolchainName}.`,
      "Or start your own minitiad and name its endpoint with --endpoint: REST on Move, RPC on Wasm.",
    ],
  });
}
