import { planPush, stage, type PushPlan, type ScoreTable } from "@vipscore/core";
import { connectMove, deployMove, moveAccount, type DeployedMove, type MoveAccount } from "@vipscore/move";
import bytecode from "@vipscore/move/artifacts/vip_score.json" with { type: "json" };

export const compiler: object = bytecode;

export async function deploy(restUrl: string, mnemonic: string, table: ScoreTable): Promise<PushPlan> {
  const account: MoveAccount = moveAccount({ mnemonic });
  const { address }: DeployedMove = await deployMove({ restUrl, account, initStage: stage(1n) });
  return planPush(await connectMove({ restUrl, address, account }), stage(1n), table, {});
}
