import { bcs, MsgExecute } from "@initia/initia.js";

const address = bcs.address();
const u64 = bcs.u64().transform({
  input: (value) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    throw new RangeError(`${value} is not an integer below 2^53; larger ones are a bigint or a string`);
  },
  output: (value) => value,
});

/** The entry functions of the module, with the types of their arguments after the signer. */
const entryFunctions = {
  accept_ownership_script: [],
  add_deployer_script: [address],
  complete_upgrade_script: [],
  finalize_checked_script: [u64, u64, u64, u64],
  finalize_script: [u64],
  owner_add_deployer_script: [address],
  owner_remove_deployer_script: [address],
  remove_deployer_script: [address],
  set_deployers_script: [bcs.vector(address)],
  set_finalizer_script: [bcs.option(address)],
  set_init_stage: [u64],
  set_publisher_manages_script: [bcs.bool()],
  transfer_ownership_script: [address],
  update_score_script: [u64, bcs.vector(address), bcs.vector(u64)],
  update_scores_script: [u64, bcs.vector(address), bcs.vector(u64)],
};

export function vipScoreMessages(sender, publisher) {
  const builders = Object.entries(entryFunctions).map(([name, types]) => [
    name,
    (...args) => {
      if (args.length !== types.length) throw new TypeError(`${name} takes ${types.length} arguments`);
      const encoded = types.map((type, index) => type.serialize(args[index]).toBase64());
      return new MsgExecute(sender, publisher, "vip_score", name, [], encoded);
    },
  ]);
  return Object.fromEntries(builders);
}
