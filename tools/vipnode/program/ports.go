package program

import (
	"strconv"
	"strings"
)

// parsePorts reads REST,RPC. A missing port is 0.
func parsePorts(text string) (rest, rpc int, err error) {
	parts := strings.Split(text, ",")
	if len(parts) > 2 {
		return 0, 0, usageErrorf("--ports %s: give the REST port and the RPC port, such as 1317,26657", text)
	}
	var ports [2]int
	for i, part := range parts {
		if part == "" {
			continue
		}
		port, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, 0, usageErrorf("--ports %s: %q is not a port number from 0 to 65535", text, part)
		}
		ports[i] = int(port)
	}
	if ports[0] != 0 && ports[0] == ports[1] {
		return 0, 0, usageErrorf("--ports %s: REST and RPC need two different ports", text)
	}
	return ports[0], ports[1], nil
}
