package movepackage

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/initia-labs/movevm/types"
)

// top returns the highest stage, the only one that may be open; 0 before the first.
func (m *scoringModel) top() uint64 {
	var highest uint64
	for number := range m.stages {
		highest = max(highest, number)
	}
	return highest
}

// views returns the answer of every view that shows the whole contract or one stage, except those of an incomplete upgrade
// that abort.
func (m *scoringModel) views(number uint64, accounts []types.AccountAddress) map[string]string {
	stage, exists := m.stages[number]
	if !exists {
		stage = &stageModel{}
	}
	scores := make([]any, len(accounts))
	for i, account := range accounts {
		if score, scored := stage.scores[account]; scored {
			scores[i] = inText(score)
		}
	}
	views := map[string]string{
		"get_total_score":    string(inJSON(inText(stage.total))),
		"get_scores_of":      string(inJSON(scores)),
		"get_init_stage":     string(inJSON(inText(m.initStage))),
		"is_open":            string(inJSON(exists && !stage.finalized)),
		"get_deployer_count": string(inJSON(inText(uint64(len(m.deployers))))),
	}
	if !m.isIncomplete {
		views["get_stage"] = string(inJSON(stageAnswer{
			inText(number), exists, inText(stage.total), stage.finalized, inText(uint64(len(stage.scores))), inText(stage.revision),
		}))
		views["get_owner"] = string(inJSON(inHex(m.owner)))
		views["get_pending_owner"] = string(inJSON(optional(m.pendingOwner)))
		views["get_finalizer"] = string(inJSON(optional(m.finalizer)))
		views["publisher_manages"] = string(inJSON(m.publisherManages))
	}
	return views
}

// stageAnswer is the answer of get_stage.
type stageAnswer struct {
	Stage       string `json:"stage"`
	Exists      bool   `json:"exists"`
	TotalScore  string `json:"total_score"`
	IsFinalized bool   `json:"is_finalized"`
	ScoreCount  string `json:"score_count"`
	Revision    string `json:"revision"`
}

// page returns the answer of get_scores.
func (m *scoringModel) page(number uint64, limit uint16, startAfter *types.AccountAddress) string {
	type row struct {
		Addr  string `json:"addr"`
		Score string `json:"score"`
	}
	rows := []row{}
	if stage := m.stages[number]; stage != nil {
		accounts := slices.SortedFunc(maps.Keys(stage.scores), func(a, b types.AccountAddress) int {
			return slices.Compare(b[:], a[:])
		})
		for _, account := range accounts {
			isAfter := startAfter == nil || slices.Compare(account[:], startAfter[:]) < 0
			if isAfter && len(rows) < int(min(limit, 1_000)) {
				rows = append(rows, row{inHex(account), inText(stage.scores[account])})
			}
		}
	}
	encoded, err := json.Marshal(struct {
		Stage  string `json:"stage"`
		Scores []row  `json:"scores"`
	}{inText(number), rows})
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func optional(account *types.AccountAddress) any {
	if account == nil {
		return nil
	}
	return inHex(*account)
}

// inHex formats an address as the VM does; the zero address keeps a digit.
func inHex(account types.AccountAddress) string {
	if account == (types.AccountAddress{}) {
		return "0x0"
	}
	return account.String()
}
