//! The events of every message: names, and attributes in their order.

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::ExecuteMsg;

fn expect(suite: &mut Suite, sender: &Addr, msg: ExecuteMsg, events: &[&str]) {
    let response = suite.send(sender, &msg).unwrap();
    assert_eq!(own_events(&response), events, "{msg:?}");
}

#[test]
fn writes() {
    let mut suite = Suite::new();
    let (a, member, stage, amount) = (account(1), suite.member.clone(), 1, 2);
    let addr = a.to_string();
    let row = |score, total| format!("update-score addr={a} stage=1 score={score} total_score={total}");
    let rows = [(a.clone(), 10), (a.clone(), 3)];
    let scores = texts(&rows);
    let batch = ExecuteMsg::UpdateScores { stage, scores };
    expect(&mut suite, &member, batch, &[&row(10, 10), &row(3, 3)]);
    let update = ExecuteMsg::UpdateScore {
        addr: addr.clone(),
        stage,
        amount,
    };
    expect(&mut suite, &member, update, &[&row(2, 2)]);
    let increase = ExecuteMsg::IncreaseScore {
        addr: addr.clone(),
        stage,
        amount,
    };
    expect(&mut suite, &member, increase, &[&row(4, 4)]);
    let decrease = ExecuteMsg::DecreaseScore { addr, stage, amount };
    expect(&mut suite, &member, decrease, &[&row(2, 2)]);
    let batch = packed_bytes(1, packed(&rows));
    let of_batch = "update-scores-packed stage=1 count=2 total_score=3";
    expect(&mut suite, &member, batch, &[of_batch]);
    // An empty batch has an event for the batch, and none for rows.
    let batch = packed_bytes(1, vec![]);
    let of_batch = "update-scores-packed stage=1 count=0 total_score=3";
    expect(&mut suite, &member, batch, &[of_batch]);
    let scores = vec![];
    let batch = ExecuteMsg::UpdateScores { stage, scores };
    expect(&mut suite, &member, batch, &[]);
}

#[test]
fn finalize() {
    let mut suite = Suite::with_stage(MAX - 1);
    let member = suite.member.clone();
    let finalize = |stage| ExecuteMsg::FinalizeStage { stage };
    let both = [
        "finalize-stage stage=18446744073709551614",
        "create-stage stage=18446744073709551615",
    ];
    expect(&mut suite, &member, finalize(MAX - 1), &both);
    // Nothing follows the last stage.
    let last = "finalize-stage stage=18446744073709551615";
    expect(&mut suite, &member, finalize(MAX), &[last]);
}

#[test]
fn members() {
    let mut suite = Suite::new();
    let (member, new) = (suite.member.clone(), account(1));
    let addr = new.to_string();
    let remove = ExecuteMsg::RemoveAllowList { addr };
    // Only a change has an event (W6).
    expect(&mut suite, &member, remove.clone(), &[]);
    let added = format!("add-allow-list addr={new}");
    expect(&mut suite, &member, add_member(&new), &[&added]);
    expect(&mut suite, &member, add_member(&new), &[]);
    let removed = format!("remove-allow-list addr={new}");
    expect(&mut suite, &member, remove, &[&removed]);
}

#[test]
fn a_new_list() {
    let mut suite = Suite::new();
    let (owner, a, b) = (suite.owner.clone(), account(1), account(2));
    let [first, second] = [&b, &a].map(|addr| format!("add-allow-list addr={addr}"));
    let all = ["clear-allow-list", &first, &second];
    // Each member once.
    let list = set_members(&[b.clone(), a, b]);
    expect(&mut suite, &owner, list, &all);
}

#[test]
fn owner() {
    let mut suite = Suite::new();
    let (owner, new) = (suite.owner.clone(), account(1));
    let named = format!("set-finalizer finalizer={new}");
    expect(&mut suite, &owner, set_finalizer(Some(&new)), &[&named]);
    let any = "set-finalizer finalizer=any";
    expect(&mut suite, &owner, set_finalizer(None), &[any]);
    let denied = "set-members-can-manage allowed=false";
    expect(&mut suite, &owner, set_members_can_manage(false), &[denied]);
    let offered = format!("transfer-ownership owner={owner} pending_owner={new}");
    expect(&mut suite, &owner, transfer(&new), &[&offered]);
    let accepted = format!("accept-ownership owner={new}");
    let accept = ExecuteMsg::AcceptOwnership {};
    expect(&mut suite, &new, accept, &[&accepted]);
}
