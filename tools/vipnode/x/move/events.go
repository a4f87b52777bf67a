package move

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/cosmos/cosmos-sdk/types"
	vmtypes "github.com/initia-labs/movevm/types"
)

// moveEvent converts an event of Move code for the chain: its type, its data as JSON, and each field of the data as a separate
// attribute, sorted by name, for searches. Fields with objects or lists appear only in the data.
func moveEvent(event vmtypes.JsonEvent) sdk.Event {
	attributes := []sdk.Attribute{
		sdk.NewAttribute("type_tag", event.TypeTag),
		sdk.NewAttribute("data", event.EventData),
	}
	fields, err := readFields(event.EventData)
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if text, scalar := scalarText(fields[name]); scalar {
				attributes = append(attributes, sdk.NewAttribute(name, text))
			}
		}
	}
	return sdk.NewEvent("move", attributes...)
}

// readFields keeps numbers as text.
func readFields(data string) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(data)))
	decoder.UseNumber()
	var fields map[string]any
	err := decoder.Decode(&fields)
	return fields, err
}

func scalarText(value any) (text string, scalar bool) {
	switch value := value.(type) {
	case map[string]any, []any:
		return "", false
	case string:
		return value, true
	default:
		// Numbers, booleans, and null, which a real node also writes as Go prints it.
		return fmt.Sprint(value), true
	}
}
