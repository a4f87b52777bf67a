//! The game and the scoring contract in cw-multi-test, without a chain.

use arena::{ExecuteMsg, InstantiateMsg};
use cosmwasm_std::Addr;
use cw_multi_test::{App, AppResponse, ContractWrapper, Executor};
use vip_score::msg::{ExecuteMsg as ScoreMsg, InstantiateMsg as ScoreInit, QueryMsg as ScoreQuery, StageResponse};

struct Game {
    app: App,
    operator: Addr,
    player: Addr,
    scores: Addr,
    arena: Addr,
}

impl Game {
    /// Deploys both contracts; the game is a member.
    fn new() -> Self {
        let mut app = App::default();
        let operator = app.api().addr_make("operator");
        let player = app.api().addr_make("player");
        let scoring = ContractWrapper::new(
            vip_score::contract::execute,
            vip_score::contract::instantiate,
            vip_score::contract::query,
        );
        let game = ContractWrapper::new(arena::execute, arena::instantiate, arena::query).with_reply(arena::reply);
        let (scoring, game) = (app.store_code(Box::new(scoring)), app.store_code(Box::new(game)));
        let init = ScoreInit {
            allow_list: vec![operator.to_string()],
            init_stage: 1,
            finalizer: None,
            members_can_manage: None,
        };
        let scores = app.instantiate_contract(scoring, operator.clone(), &init, &[], "scores", None);
        let scores = scores.unwrap();
        let init = InstantiateMsg {
            scores: scores.to_string(),
            stage: 1,
        };
        let arena = app.instantiate_contract(game, operator.clone(), &init, &[], "arena", None);
        let arena = arena.unwrap();
        let mut game = Self {
            app,
            operator,
            player,
            scores,
            arena,
        };
        let addr = game.arena.to_string();
        game.manage(&ScoreMsg::AddAllowList { addr });
        game
    }

    fn manage(&mut self, message: &ScoreMsg) {
        let (operator, scores) = (self.operator.clone(), self.scores.clone());
        self.app.execute_contract(operator, scores, message, &[]).unwrap();
    }

    fn win(&mut self, points: u64) -> AppResponse {
        let (player, arena) = (self.player.clone(), self.arena.clone());
        let win = ExecuteMsg::Win { points };
        self.app.execute_contract(player, arena, &win, &[]).unwrap()
    }

    fn total(&self, stage: u64) -> u64 {
        let query = ScoreQuery::GetStage { stage };
        let stage: StageResponse = self.app.wrap().query_wasm_smart(&self.scores, &query).unwrap();
        stage.total_score
    }
}

#[test]
fn wins_add_up_and_move_on_to_the_open_stage() {
    let mut game = Game::new();
    game.win(5);
    game.win(7);
    assert_eq!(game.total(1), 12);
    game.manage(&ScoreMsg::FinalizeStage { stage: 1 });
    game.win(3);
    assert_eq!((game.total(1), game.total(2)), (12, 3));
}

#[test]
fn a_refusal_does_not_undo_the_win() {
    let mut game = Game::new();
    game.win(5);
    let events = game.win(u64::MAX).events;
    let has = |name| events.iter().any(|event| event.ty == name);
    assert!(has("wasm-won") && has("wasm-not_scored"));
    assert_eq!(game.total(1), 5);
}
