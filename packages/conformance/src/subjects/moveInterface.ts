/** A module's interface as the node lists it. */
export interface MoveAbi {
  readonly name: string;
  readonly exposed_functions: readonly {
    readonly name: string;
    readonly visibility: string;
    readonly is_entry: boolean;
    readonly is_view: boolean;
    readonly params: readonly string[];
    readonly return: readonly string[];
  }[];
  readonly structs: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly type: string }[];
  }[];
}

const page = "vip_score::GetScoresResponse";

/**
 * The published module, initia-labs/vip-score-move: what the chain compares when a module replaces another, functions with their
 * types and structs with their fields. `entry` and `view` may be added.
 */
const published: readonly string[] = [
  "public entry add_deployer_script(&signer,address)",
  "public entry remove_deployer_script(&signer,address)",
  "public entry set_init_stage(&signer,u64)",
  "public entry finalize_script(&signer,u64)",
  "public entry update_score_script(&signer,u64,vector<address>,vector<u64>)",
  "public increase_score(&signer,address,u64,u64)",
  "public decrease_score(&signer,address,u64,u64)",
  "public update_score(&signer,address,u64,u64)",
  "public view get_score(address,u64):u64",
  "public view get_total_score(u64):u64",
  `public view get_scores(u64,u16,0x1::option::Option<address>):${page}`,
  "struct ModuleStore{init_stage:u64,deployers:0x1::simple_map::SimpleMap<address,bool>,scores:0x1::table::Table<u64,vip_score::Scores>}",
  "struct Scores{total_score:u64,is_finalized:bool,score:0x1::table::Table<address,u64>}",
  "struct GetScoresResponse{stage:u64,scores:vector<vip_score::Score>}",
  "struct Score{addr:address,score:u64}",
  "struct DeployerAddedEvent{deployer:address}",
  "struct DeployerRemovedEvent{deployer:address}",
  "struct UpdateScoreEvent{account:address,stage:u64,score:u64,total_score:u64}",
  "struct FinalizedScoreEvent{stage:u64}",
];

/** Returns each published function and struct that a module does not have, or has in another shape. */
export function compareMoveInterface(abi: MoveAbi): readonly string[] {
  const shapes = shapesOf(abi);
  return published.flatMap((shape) => {
    if (shapes.includes(shape)) return [];
    const others = shapes.filter((other) => shapeName(other) === shapeName(shape));
    return [`${shape} is ${others.length === 0 ? "missing" : `instead ${others.join(" or ")}`}`];
  });
}

function shapesOf({ exposed_functions: functions, structs }: MoveAbi): readonly string[] {
  return [
    ...functions.flatMap((one) => {
      const results = one.return.length === 0 ? "" : `:${one.return.map(typeText).join()}`;
      const call = `${one.name}(${one.params.map(typeText).join()})${results}`;
      const kinds = ["", ...(one.is_entry ? ["entry "] : []), ...(one.is_view ? ["view "] : [])];
      return kinds.map((kind) => `${one.visibility} ${kind}${call}`);
    }),
    ...structs.map(({ name, fields }) => {
      const listed = fields.map((field) => `${field.name}:${typeText(field.type)}`);
      return `struct ${name}{${listed.join()}}`;
    }),
  ];
}

/** The module's own types without its address, which is the publisher's. */
function typeText(type: string): string {
  return type.replaceAll(/\s/g, "").replaceAll(/0x[0-9a-f]{2,}::vip_score::/g, "vip_score::");
}

function shapeName(shape: string): string | undefined {
  return /(\w+)[({]/.exec(shape)?.[1];
}
