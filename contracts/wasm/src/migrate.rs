//! Taking over a contract of the reference's with its data.

use cosmwasm_std::{Addr, Api, DepsMut, Order, StdResult, Storage};

use crate::account::{parse_account, Account};
use crate::events::Events;
use crate::reference;
use crate::roles::{parse_members, replace_members, set_members};
use crate::scores::{write_rows, Change};
use crate::state::{
    StageRecord, CONTRACT_NAME, CONTRACT_VERSION, INIT_STAGE, MEMBERS_CAN_MANAGE, MEMBER_LIST, OWNER, STAGES,
};
use crate::ContractError;

/// The most rows of an open stage that a migration moves.
const MOVED_ROWS: usize = 20_000;

/// The most entries of an allow list that a migration copies.
const COPIED_MEMBERS: usize = 1_000;

/// Takes over a contract with the reference contract's storage; the sender, who is the contract's admin, becomes the owner.
/// The members are those of `allow_list`, or else those of the reference contract. A contract that is already this one, or
/// builds on it, keeps everything but the members that `allow_list` replaces: the admin may name it after a theft.
pub fn take_over(deps: DepsMut, sender: Addr, allow_list: Option<Vec<String>>) -> Events {
    let DepsMut { storage, api, .. } = deps;
    let named = cw2::CONTRACT.may_load(storage)?.map(|info| info.contract);
    let is_ours = MEMBER_LIST.may_load(storage)?.is_some();
    if INIT_STAGE.may_load(storage)?.is_none() || (named.is_some() && !is_ours) {
        return Err(refused("this is not a scoring contract"));
    }
    if is_ours {
        if named.as_deref() == Some(CONTRACT_NAME) {
            cw2::ensure_from_older_version(storage, CONTRACT_NAME, CONTRACT_VERSION)
                .map_err(|error| refused(error.to_string()))?;
        } else {
            // A contract that builds on this one stored its own name and version, which say nothing about this one.
            cw2::set_contract_version(storage, CONTRACT_NAME, CONTRACT_VERSION)?;
        }
        return allow_list.map_or(Ok(vec![]), |texts| set_members(storage, api, &texts));
    }
    OWNER.save(storage, &sender)?;
    MEMBERS_CAN_MANAGE.save(storage, &true)?;
    let members = match allow_list {
        Some(texts) => parse_members(api, &texts)?,
        None => members_to_copy(storage, api)?,
    };
    let events = replace_members(storage, members)?;
    move_newest_stage(storage, api)?;
    cw2::set_contract_version(storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    Ok(events)
}

/// The entries of the reference contract's allow list that are addresses; nobody controls the others.
fn members_to_copy(storage: &dyn Storage, api: &dyn Api) -> Result<Vec<Addr>, ContractError> {
    let entries = reference::ALLOW_LIST.keys(storage, None, None, Order::Ascending);
    let texts: Vec<String> = entries.take(COPIED_MEMBERS + 1).collect::<StdResult<_>>()?;
    if texts.len() > COPIED_MEMBERS {
        return Err(refused(format!(
            "the allow list has more than {COPIED_MEMBERS} entries: name the members in allow_list"
        )));
    }
    let accounts = texts.iter().filter_map(|text| parse_own_spelling(api, text));
    Ok(accounts.map(|account| account.addr).collect())
}

/// Moves the newest stage, the open one, into pages: the reference contract creates the next stage with each finalize. All
/// stages before it count as finalized, even one that a second finalize reopened, so that no other stage has to be read.
fn move_newest_stage(storage: &mut dyn Storage, api: &dyn Api) -> Result<(), ContractError> {
    let newest = reference::STAGES.range(storage, None, None, Order::Descending).next();
    let (stage, newest) = newest.ok_or(refused("this contract has no stage"))??;
    reference::STAGES.remove(storage, stage);
    let rows = rows_to_move(storage, api, stage)?;
    let record = StageRecord {
        stage,
        total_score: 0,
        is_finalized: newest.is_finalized,
        count: 0,
        revision: 0,
    };
    STAGES.save(storage, stage, &record)?;
    write_rows(storage, record, &rows)?;
    Ok(())
}

/// The rows of a stage of the reference contract, without those of 0 whose text is not an address: nobody has them, and they
/// do not change the total.
fn rows_to_move(storage: &dyn Storage, api: &dyn Api, stage: u64) -> Result<Vec<(Account, Change)>, ContractError> {
    let mut moved = Vec::new();
    for (index, row) in reference::rows_from(storage, stage, "")?.enumerate() {
        if index == MOVED_ROWS {
            return Err(refused(format!(
                "stage {stage}, which is open, has more than {MOVED_ROWS} scores: finalize it first"
            )));
        }
        let (text, score) = row?;
        match parse_own_spelling(api, text.as_str()) {
            Some(account) => moved.push((account, Change::Set(score))),
            None if score == 0 => {}
            None => {
                let shown: String = text.as_str().chars().take(128).collect();
                return Err(refused(format!(
                    "stage {stage}, which is open, has a score of {score} for {shown:?}, which is not an address of this \
                     chain in its own spelling: set it to 0 first"
                )));
            }
        }
    }
    Ok(moved)
}

/// The account of an address in the chain's own spelling; none for any other text.
fn parse_own_spelling(api: &dyn Api, text: &str) -> Option<Account> {
    let account = parse_account(api, text).ok()?;
    (account.addr.as_str() == text).then_some(account)
}

/// The error for a contract that cannot be taken over.
fn refused(reason: impl Into<String>) -> ContractError {
    ContractError::MigrationRefused { reason: reason.into() }
}
