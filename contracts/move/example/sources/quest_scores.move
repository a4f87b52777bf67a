/// An example of a package that scores by its own rule: 10 points for each quest, at most 1,000 for an account.
module quest_scores::quest_scores {
    use minitia_std::math64::min;

    use vip_score::vip_score;

    const POINTS_OF_A_QUEST: u64 = 10;

    const MOST_POINTS: u64 = 1000;

    /// Adds the points of quests to an account's score. `deployer` has to be a deployer of the scoring contract, which checks
    /// that, and the stage, as if the deployer had called it.
    public entry fun reward(deployer: &signer, account: address, stage: u64, quests: u64) {
        let points = min(quests, MOST_POINTS) * POINTS_OF_A_QUEST;
        let score = min(vip_score::get_score(account, stage) + points, MOST_POINTS);
        vip_score::update_score(deployer, account, stage, score);
    }
}
