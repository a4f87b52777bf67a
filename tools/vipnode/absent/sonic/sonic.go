// Package sonic has the names of github.com/bytedance/sonic that cosmossdk.io/log uses, on the standard library.
package sonic

import "encoding/json"

// Marshal encodes a value as JSON.
func Marshal(value any) ([]byte, error) { return json.Marshal(value) }

// Unmarshal decodes JSON into a value.
func Unmarshal(data []byte, value any) error { return json.Unmarshal(data, value) }
