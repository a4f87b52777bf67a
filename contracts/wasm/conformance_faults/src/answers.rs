//! Answers that differ from what is stored.

use cosmwasm_std::{from_json, to_json_binary, Binary, Deps, Env};
use vip_score::contract;
use vip_score::msg::{QueryMsg, ScoreResponse, ScoresResponse, StageInfoResponse, StageResponse};
use vip_score::ContractError;

use crate::{CLOSED_AT, DAY};

type Answer = Result<Binary, ContractError>;

/// JavaScript does not represent every number above this one.
const TWO_TO_53: u64 = 1 << 53;

fn count(deps: Deps, env: &Env, stage: u64) -> Result<u64, ContractError> {
    let answer = contract::query(deps, env.clone(), QueryMsg::GetStage { stage })?;
    Ok(from_json::<StageResponse>(answer)?.count.unwrap_or(0))
}

/// In a stage of more than 10,000 scores every page but the first lacks its first row.
pub fn skip_after_many(deps: Deps, env: &Env, msg: &QueryMsg, answer: Binary) -> Answer {
    if let QueryMsg::GetScores {
        stage,
        start_after: Some(_),
        ..
    } = msg
    {
        let mut page: ScoresResponse = from_json(&answer)?;
        if !page.scores.is_empty() && count(deps, env, *stage)? > 10_000 {
            page.scores.remove(0);
            return Ok(to_json_binary(&page)?);
        }
    }
    Ok(answer)
}

/// A page that has all scores of the stage and as many as the limit lacks the last one.
pub fn shorten_full_page(deps: Deps, env: &Env, msg: &QueryMsg, answer: Binary) -> Answer {
    if let QueryMsg::GetScores { stage, limit, .. } = msg {
        let mut page: ScoresResponse = from_json(&answer)?;
        if page.scores.len() as u64 == *limit && count(deps, env, *stage)? == *limit {
            page.scores.pop();
            return Ok(to_json_binary(&page)?);
        }
    }
    Ok(answer)
}

/// One score above 2^53 loses digits; pages have all of them.
pub fn round_one(msg: &QueryMsg, answer: Binary) -> Answer {
    if let QueryMsg::GetScore { .. } = msg {
        let mut row: ScoreResponse = from_json(&answer)?;
        if row.score > TWO_TO_53 {
            row.score -= row.score % 1_024;
            return Ok(to_json_binary(&row)?);
        }
    }
    Ok(answer)
}

/// The published total has 63 bits.
pub fn wrap_total(msg: &QueryMsg, answer: Binary) -> Answer {
    if let QueryMsg::GetStageInfo { .. } = msg {
        let mut info: StageInfoResponse = from_json(&answer)?;
        info.total_score %= 1 << 63;
        return Ok(to_json_binary(&info)?);
    }
    Ok(answer)
}

/// Scores are halved 30 days after the stage was finalized.
pub fn decay(deps: Deps, env: &Env, msg: &QueryMsg, answer: Binary) -> Answer {
    let stage = match msg {
        QueryMsg::GetScore { stage, .. } | QueryMsg::GetScores { stage, .. } => *stage,
        _ => return Ok(answer),
    };
    let closed_at = CLOSED_AT.may_load(deps.storage, stage)?.unwrap_or(u64::MAX);
    if env.block.time.seconds().saturating_sub(closed_at) < 30 * DAY {
        return Ok(answer);
    }
    if let QueryMsg::GetScore { .. } = msg {
        let mut row: ScoreResponse = from_json(&answer)?;
        row.score /= 2;
        return Ok(to_json_binary(&row)?);
    }
    let mut page: ScoresResponse = from_json(&answer)?;
    for row in &mut page.scores {
        row.score /= 2;
    }
    Ok(to_json_binary(&page)?)
}

/// One score above 2^53 is a text instead of a number.
pub fn quote_large(msg: &QueryMsg, answer: Binary) -> Answer {
    if let QueryMsg::GetScore { .. } = msg {
        let score = from_json::<ScoreResponse>(&answer)?.score;
        if score > TWO_TO_53 {
            let text = String::from_utf8_lossy(&answer);
            let (number, quoted) = (format!(":{score}}}"), format!(":\"{score}\"}}"));
            return Ok(Binary::from(text.replace(&number, &quoted).into_bytes()));
        }
    }
    Ok(answer)
}
