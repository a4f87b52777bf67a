//! What must hold after every call, as the queries show it.

use std::collections::{BTreeMap, BTreeSet};

use cosmwasm_std::{Addr, Empty};

use super::instance::Instance;
use crate::msg::{
    InitStageResponse, IsMemberResponse, MemberCountResponse, MembersResponse, QueryMsg, ScoreResponse,
    ScoresFromResponse, ScoresOfResponse, ScoresResponse, StageInfoResponse, StageResponse,
};

/// Rows of a page: few, so that a stage has several.
const PAGE: u64 = 7;

type Rows = Vec<(Addr, u64)>;

/// A stage that exists.
#[derive(Clone)]
pub struct Stage {
    total: u64,
    count: Option<u64>,
    revision: u64,
    pub is_finalized: bool,
    pub rows: Rows,
}

/// Checks all that must hold, given the stages after the call before. Returns the stages, or what does not hold.
pub fn check(instance: &Instance, before: &BTreeMap<u64, Stage>) -> Result<BTreeMap<u64, Stage>, String> {
    let mut numbers = created(instance)?;
    numbers.extend(before.keys());
    let mut stages = BTreeMap::new();
    for number in numbers {
        let found = read(instance, number)?.ok_or(format!("stage {number} is gone"))?;
        match before.get(&number).filter(|stage| stage.is_finalized) {
            Some(frozen) => check_frozen(number, frozen, &found)?,
            None => check_sums(number, &found)?,
        }
        check_rows(instance, number, &found)?;
        stages.insert(number, found);
    }
    check_others(instance)?;
    Ok(stages)
}

/// The numbers of the stages from the first one on: each finalize creates the next (R2).
fn created(instance: &Instance) -> Result<BTreeSet<u64>, String> {
    let first: InitStageResponse = instance.ask(&QueryMsg::GetInitStage {})?;
    let mut numbers = BTreeSet::new();
    for stage in first.init_stage..=u64::MAX {
        let found: StageResponse = instance.ask(&QueryMsg::GetStage { stage })?;
        if !found.exists {
            break;
        }
        numbers.insert(stage);
    }
    Ok(numbers)
}

fn read(instance: &Instance, stage: u64) -> Result<Option<Stage>, String> {
    let found: StageResponse = instance.ask(&QueryMsg::GetStage { stage })?;
    if !found.exists {
        return Ok(None);
    }
    Ok(Some(Stage {
        total: found.total_score,
        count: found.count,
        revision: found.revision,
        is_finalized: found.is_finalized,
        rows: rows_from(instance, stage)?,
    }))
}

/// The whole stage through `get_scores_from`.
fn rows_from(instance: &Instance, stage: u64) -> Result<Rows, String> {
    let mut rows = vec![];
    let mut from = None;
    loop {
        let limit = PAGE;
        let page: ScoresFromResponse = instance.ask(&QueryMsg::GetScoresFrom { stage, from, limit })?;
        let page_rows: Rows = page.scores.into_iter().map(|row| (row.addr, row.score)).collect();
        match page.next {
            Some(_) if page_rows.is_empty() => return Err(format!("stage {stage}: an empty page is not the last one")),
            next => from = next.map(Addr::into_string),
        }
        append(&mut rows, page_rows, stage)?;
        if from.is_none() {
            return Ok(rows);
        }
    }
}

/// The whole stage through `get_scores`, whose last page is the one that is not full.
fn rows_after(instance: &Instance, stage: u64) -> Result<Rows, String> {
    let mut rows: Rows = vec![];
    loop {
        let page: ScoresResponse = instance.ask(&QueryMsg::GetScores {
            stage,
            limit: PAGE,
            start_after: rows.last().map(|(addr, _)| addr.to_string()),
        })?;
        let is_last = (page.scores.len() as u64) < PAGE;
        let page_rows = page.scores.into_iter().map(|row| (row.addr, row.score)).collect();
        append(&mut rows, page_rows, stage)?;
        if is_last {
            return Ok(rows);
        }
    }
}

/// Adds a page. A row that comes again would make the pages endless.
fn append(rows: &mut Rows, page: Rows, stage: u64) -> Result<(), String> {
    for (addr, score) in page {
        if rows.iter().any(|(known, _)| *known == addr) {
            return Err(format!("stage {stage}: {addr} has two rows"));
        }
        rows.push((addr, score));
    }
    Ok(())
}

/// No call changes anything that a reader can see of a finalized stage (R5).
fn check_frozen(number: u64, frozen: &Stage, found: &Stage) -> Result<(), String> {
    let changed = |what: &str, from: String, to: String| {
        Err(format!(
            "finalized stage {number}: its {what} changed from {from} to {to}"
        ))
    };
    if !found.is_finalized {
        return Err(format!("finalized stage {number}: it is open again"));
    }
    if found.total != frozen.total {
        return changed("total", frozen.total.to_string(), found.total.to_string());
    }
    if found.count != frozen.count {
        return changed("count", format!("{:?}", frozen.count), format!("{:?}", found.count));
    }
    if found.revision != frozen.revision {
        return changed("revision", frozen.revision.to_string(), found.revision.to_string());
    }
    match first_difference(&frozen.rows, &found.rows) {
        Some((from, to)) => changed("rows", from, to),
        None => Ok(()),
    }
}

/// The total is the sum of the scores, and the count their number (R7). A stage in the reference's form has no count, and may have
/// another total (W22).
fn check_sums(number: u64, found: &Stage) -> Result<(), String> {
    let Some(count) = found.count else {
        return Ok(());
    };
    let (total, rows) = (u128::from(found.total), found.rows.len() as u64);
    let sum: u128 = found.rows.iter().map(|(_, score)| u128::from(*score)).sum();
    if total != sum {
        return Err(format!(
            "stage {number}: its total is {total}, the sum of its rows {sum}"
        ));
    }
    if count != rows {
        return Err(format!(
            "stage {number}: its count is {count}, the number of its rows {rows}"
        ));
    }
    Ok(())
}

/// Every query shows the same rows, and the same stage.
fn check_rows(instance: &Instance, number: u64, found: &Stage) -> Result<(), String> {
    let differs = |query: &str, (from, to): (String, String)| {
        Err(format!("stage {number}: get_scores_from returns {from}, {query} {to}"))
    };
    if let Some(difference) = first_difference(&found.rows, &rows_after(instance, number)?) {
        return differs("get_scores", difference);
    }
    let addrs: Vec<Addr> = found.rows.iter().map(|(addr, _)| addr.clone()).collect();
    let of: ScoresOfResponse = instance.ask(&QueryMsg::GetScoresOf {
        stage: number,
        addrs: addrs.iter().map(Addr::to_string).collect(),
    })?;
    let named = addrs.into_iter().zip(of.scores);
    let named: Rows = named.filter_map(|(addr, score)| Some((addr, score?))).collect();
    if let Some(difference) = first_difference(&found.rows, &named) {
        return differs("get_scores_of", difference);
    }
    if let Some((addr, score)) = found.rows.last() {
        let one: ScoreResponse = instance.ask(&QueryMsg::GetScore {
            addr: addr.to_string(),
            stage: number,
        })?;
        if one.score != *score {
            return differs("get_score", (score.to_string(), one.score.to_string()));
        }
    }
    let info: StageInfoResponse = instance.ask(&QueryMsg::GetStageInfo { stage: number })?;
    if (info.total_score, info.is_finalized) != (found.total, found.is_finalized) {
        return Err(format!("stage {number}: get_stage and get_stage_info differ"));
    }
    Ok(())
}

/// The queries without a stage answer, and those for members agree. A stage that does not exist has no rows.
fn check_others(instance: &Instance) -> Result<(), String> {
    for stage in [0, u64::MAX] {
        let found: StageResponse = instance.ask(&QueryMsg::GetStage { stage })?;
        let rows = [rows_from(instance, stage)?, rows_after(instance, stage)?].concat();
        if !found.exists && !rows.is_empty() {
            return Err(format!("stage {stage} does not exist and has rows"));
        }
    }
    // The answers differ from contract to contract.
    for query in [QueryMsg::GetContractVersion {}, QueryMsg::GetOwnership {}] {
        instance.ask::<Empty>(&query)?;
    }
    let MembersResponse { members } = instance.ask(&QueryMsg::GetMembers {
        start_after: None,
        limit: None,
    })?;
    let MemberCountResponse { count } = instance.ask(&QueryMsg::GetMemberCount {})?;
    if count != members.len() as u64 {
        return Err(format!(
            "get_member_count returns {count}, get_members {}",
            members.len()
        ));
    }
    for addr in members.iter().map(Addr::to_string) {
        let answer: IsMemberResponse = instance.ask(&QueryMsg::IsMember { addr: addr.clone() })?;
        if !answer.is_member {
            return Err(format!("get_members returns {addr}, which is_member denies"));
        }
    }
    Ok(())
}

/// The first row of one list that the other does not have in this place.
fn first_difference(from: &Rows, to: &Rows) -> Option<(String, String)> {
    let longest = from.len().max(to.len());
    let index = (0..longest).find(|&index| from.get(index) != to.get(index))?;
    let shown =
        |row: Option<&(Addr, u64)>| row.map_or("no row".to_string(), |(addr, score)| format!("{addr}: {score}"));
    Some((shown(from.get(index)), shown(to.get(index))))
}
