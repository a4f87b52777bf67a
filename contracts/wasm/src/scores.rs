//! The messages that write scores.

use cosmwasm_std::{Addr, Binary, DepsMut, Event, Response};

use crate::account::parse_account;
use crate::batch::{write_rows, Change, WrittenRow};
use crate::packed::unpack_rows;
use crate::permissions::check_member;
use crate::stages::load_open_stage;
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
        parsed.push((parse_account(deps.api, &addr)?, change));
    }
    let written = write_rows(deps.storage, record, parsed)?;
    let events = written.iter().map(|row| update_score_event(stage, row));
    Ok(Response::new().add_events(events))
}

/// Writes a packed batch and emits one event for it.
pub fn execute_write_packed(deps: DepsMut, sender: Addr, stage: u64, rows: Binary) -> Result<Response, ContractError> {
    check_member(deps.storage, &sender)?;
    let record = load_open_stage(deps.storage, stage)?;
    let total_before = record.total_score;
    let rows = unpack_rows(deps.api, &rows)?;
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
