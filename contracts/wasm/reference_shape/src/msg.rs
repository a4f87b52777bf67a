use cosmwasm_schema::cw_serde;

#[cw_serde]
pub struct InstantiateMsg {
    pub allow_list: Vec<String>,
    pub init_stage: u64,
}

#[cw_serde]
pub enum ExecuteMsg {
    FinalizeStage { stage: u64 },
    IncreaseScore { addr: String, stage: u64, amount: u64 },
    DecreaseScore { addr: String, stage: u64, amount: u64 },
    UpdateScore { addr: String, stage: u64, amount: u64 },
    UpdateScores { stage: u64, scores: Vec<(String, u64)> },
    AddAllowList { addr: String },
    RemoveAllowList { addr: String },
}

#[cw_serde]
pub enum QueryMsg {
    GetScore {
        addr: String,
        stage: u64,
    },
    GetScores {
        stage: u64,
        limit: u64,
        start_after: Option<String>,
    },
    GetStageInfo {
        stage: u64,
    },
}

#[cw_serde]
pub struct MigrateMsg {}

#[cw_serde]
pub struct ScoreRow {
    pub stage: u64,
    pub addr: String,
    pub score: u64,
}

#[cw_serde]
pub struct ScoresPage {
    pub scores: Vec<ScoreRow>,
}
