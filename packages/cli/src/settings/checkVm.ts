import { InputError, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import { vmNamed } from "../rollup/rollups.ts";
import type { Setting } from "./setting.ts";

/** @throws InputError `CONFIG_INVALID` if the VM is not supported. */
export function checkVm({ value, source }: Setting<string>): Vm {
  const vm = vmNamed(value);
  if (vm !== undefined) return vm;
  throw new InputError(`${source}: "${value}" is not a VM`, {
    code: "CONFIG_INVALID",
    metaMessages: [`The VMs are ${vms.join(", ")}.`],
  });
}
