package fidelity

import (
	"slices"
	"testing"
)

// Tests of the comparison: what it must find, and what it must accept.
func TestComparison(t *testing.T) {
	masks := []Mask{
		NewMask([]string{"rpc abci_info"}, []string{"result.response.last_block_height"}, Decimal, "blocks so far"),
		NewMask([]string{"rpc block"}, []string{"heights[*]"}, Height{}, "which block a transaction gets into"),
	}
	for _, one := range []struct {
		name           string
		route          string
		recorded, ours any
		paths          []string
	}{
		{"equal", "GET /x", map[string]any{"a": []any{"1"}}, map[string]any{"a": []any{"1"}}, nil},
		{"another value", "GET /x", map[string]any{"a": []any{"1"}}, map[string]any{"a": []any{"2"}}, []string{"a[0]"}},
		{"a missing field", "GET /x", map[string]any{"a": "1"}, map[string]any{}, []string{"a"}},
		{"a surplus field", "GET /x", map[string]any{}, map[string]any{"a": nil}, []string{"a"}},
		{"a shorter list", "GET /x", []any{"1", "2"}, []any{"1"}, []string{".length"}},
		{"another type", "GET /x", map[string]any{"a": "1"}, map[string]any{"a": true}, []string{"a"}},
		{
			"a masked value of the right form", "rpc abci_info",
			atPath("result", "response", "last_block_height", "7"), atPath("result", "response", "last_block_height", "8"), nil,
		},
		{
			"a masked value of another form", "rpc abci_info",
			atPath("result", "response", "last_block_height", "7"), atPath("result", "response", "last_block_height", "x"),
			[]string{"result.response.last_block_height"},
		},
		{
			"two names for one block", "rpc block",
			map[string]any{"heights": []any{"7", "7"}}, map[string]any{"heights": []any{"8", "9"}}, []string{"heights[1]"},
		},
	} {
		t.Run(one.name, func(t *testing.T) {
			c := &comparison{route: one.route, aliases: newAliases(), masks: masks}
			c.compare("", one.recorded, one.ours)
			var paths []string
			for _, found := range c.found {
				paths = append(paths, found.path)
			}
			if !slices.Equal(paths, one.paths) {
				t.Errorf("%v, want %v", paths, one.paths)
			}
		})
	}
}

// atPath nests a value in documents.
func atPath(names ...string) any {
	var value any = names[len(names)-1]
	for _, name := range slices.Backward(names[:len(names)-1]) {
		value = map[string]any{name: value}
	}
	return value
}
