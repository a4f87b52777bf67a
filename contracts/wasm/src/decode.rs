//! From a decoded call to a message, field by field.

use crate::call::{unknown, Call, Fields};
use crate::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

impl TryFrom<Fields> for InstantiateMsg {
    type Error = String;

    fn try_from(mut fields: Fields) -> Result<Self, String> {
        let msg = InstantiateMsg {
            allow_list: fields.allow_list()?,
            init_stage: fields.init_stage()?,
        };
        fields.end()?;
        Ok(msg)
    }
}

impl TryFrom<Fields> for MigrateMsg {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        fields.end()?;
        Ok(MigrateMsg {})
    }
}

impl TryFrom<Call> for ExecuteMsg {
    type Error = String;

    fn try_from(Call { name, mut fields }: Call) -> Result<Self, String> {
        let call = &mut fields;
        let msg = match name.as_str() {
            "finalize_stage" => ExecuteMsg::FinalizeStage {
                stage: call.stage()?,
            },
            "increase_score" => ExecuteMsg::IncreaseScore {
                addr: call.addr()?,
                stage: call.stage()?,
                amount: call.amount()?,
            },
            "decrease_score" => ExecuteMsg::DecreaseScore {
                addr: call.addr()?,
                stage: call.stage()?,
                amount: call.amount()?,
            },
            "update_score" => ExecuteMsg::UpdateScore {
                addr: call.addr()?,
                stage: call.stage()?,
                amount: call.amount()?,
            },
            "update_scores" => ExecuteMsg::UpdateScores {
                stage: call.stage()?,
                scores: call.scores()?,
            },
            "add_allow_list" => ExecuteMsg::AddAllowList { addr: call.addr()? },
            "remove_allow_list" => ExecuteMsg::RemoveAllowList { addr: call.addr()? },
            "update_scores_packed" => ExecuteMsg::UpdateScoresPacked {
                stage: call.stage()?,
                rows: call.rows()?,
            },
            "finalize_stage_checked" => ExecuteMsg::FinalizeStageChecked {
                stage: call.stage()?,
                expected_total: call.expected_total()?,
                expected_count: call.expected_count()?,
            },
            "transfer_ownership" => ExecuteMsg::TransferOwnership {
                new_owner: call.new_owner()?,
            },
            "accept_ownership" => ExecuteMsg::AcceptOwnership {},
            "set_members_can_manage" => ExecuteMsg::SetMembersCanManage {
                allowed: call.allowed()?,
            },
            _ => return Err(unknown(&name, EXECUTE_NAMES)),
        };
        fields.end()?;
        Ok(msg)
    }
}

/// The names of the messages, in the order of the variants, as an error lists them.
const EXECUTE_NAMES: &str =
    "`finalize_stage`, `increase_score`, `decrease_score`, `update_score`, `update_scores`, \
    `add_allow_list`, `remove_allow_list`, `update_scores_packed`, `finalize_stage_checked`, \
    `transfer_ownership`, `accept_ownership`, `set_members_can_manage`";

impl TryFrom<Call> for QueryMsg {
    type Error = String;

    fn try_from(Call { name, mut fields }: Call) -> Result<Self, String> {
        let call = &mut fields;
        let msg = match name.as_str() {
            "get_score" => QueryMsg::GetScore {
                addr: call.addr()?,
                stage: call.stage()?,
            },
            "get_scores" => QueryMsg::GetScores {
                stage: call.stage()?,
                limit: call.limit()?,
                start_after: call.start_after(),
            },
            "get_stage_info" => QueryMsg::GetStageInfo {
                stage: call.stage()?,
            },
            "get_contract_version" => QueryMsg::GetContractVersion {},
            "get_init_stage" => QueryMsg::GetInitStage {},
            "get_stage" => QueryMsg::GetStage {
                stage: call.stage()?,
            },
            "get_scores_of" => QueryMsg::GetScoresOf {
                stage: call.stage()?,
                addrs: call.addrs()?,
            },
            "get_scores_from" => QueryMsg::GetScoresFrom {
                stage: call.stage()?,
                from: call.from(),
                limit: call.limit()?,
            },
            "get_members" => QueryMsg::GetMembers {
                start_after: call.start_after(),
                limit: call.maybe_limit(),
            },
            "is_member" => QueryMsg::IsMember { addr: call.addr()? },
            "get_ownership" => QueryMsg::GetOwnership {},
            _ => return Err(unknown(&name, QUERY_NAMES)),
        };
        fields.end()?;
        Ok(msg)
    }
}

/// The names of the queries, in the order of the variants, as an error lists them.
const QUERY_NAMES: &str =
    "`get_score`, `get_scores`, `get_stage_info`, `get_contract_version`, `get_init_stage`, \
    `get_stage`, `get_scores_of`, `get_scores_from`, `get_members`, `is_member`, \
    `get_ownership`";
