//! The messages that write scores.

use cosmwasm_std::{Addr, Binary, DepsMut, Event, Response};

use crate::batch::{write_rows, Change, WrittenRow};
use crate::members::check_member;
use crate::packed::unpack_rows;
use crate::stages::load_open_stage;
use crate::store::parse_account_in_stage;
use crate::ContractError;

/// Writes rows and emits one `update-score` event for each, in their order.
pub fn execute_write(
    deps: DepsMut,
    sender: Addr,
    stage: u64,
    rows: Vec<(String, Change)>,
) -> Result<Response, ContractError> {
    check_member(deps.storage, &sender)?;
    let record = load_open_stage(deps.storage, stage)?;
    let mut parsed = Vec::with_capacity(rows.len());
    for (addr, change) in rows {
        let account = parse_account_in_stage(deps.storage, deps.api, &record, &addr)?;
        parsed.push((account, change));
    }
    let written = write_rows(deps.storage, record, parsed)?;
    let events = written.iter().map(|row| update_score_event(stage, row));
    Ok(Response::new().add_events(events))
}

/// Writes a packed batch and emits one event for it.
pub fn execute_write_packed(
    deps: DepsMut,
    sender: Addr,
    stage: u64,
    rows: Binary,
) -> Result<Response, ContractError> {
    check_member(deps.storage, &sender)?;
    let record = load_open_stage(deps.storage, stage)?;
    let total_before = record.total_score;
    let rows = unpack_rows(deps.storage, deps.api, &record, &rows)?;
    let written = write_rows(deps.storage, record, rows)?;
    let total = written.last().map_or(total_before, |row| row.total_score);
    let event = Event::new("update-scores-packed")
        .add_attribute("stage", stage.to_string())
        .add_attribute("count", written.len().to_string())
        .add_attribute("total_score", total.to_string());
    Ok(Response::new().add_event(event))
}

fn update_score_event(stage: u64, row: &WrittenRow) -> Event {
    Event::new("update-score")
        .add_attribute("addr", &row.account.addr)
        .add_attribute("stage", stage.to_string())
        .add_attribute("score", row.score.to_string())
        .add_attribute("total_score", row.total_score.to_string())
}
