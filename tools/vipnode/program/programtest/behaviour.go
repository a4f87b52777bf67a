package programtest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// EndsInOrder checks that the program, started without a home, ends with status 0 on an interrupt and leaves nothing.
func EndsInOrder(t *testing.T, chainID string) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		temporary := t.TempDir()
		t.Setenv("TMPDIR", temporary)
		begin := time.Now()
		p := Spawn(t, "start")
		parts := p.Ready(t)
		t.Logf("ready after %s", time.Since(begin))
		if parts[3] != chainID || parts[4] != "" {
			t.Errorf("ready line %q", parts[0])
		}
		if status := p.End(t, signal); status != 0 || p.Stderr.Len() != 0 {
			t.Errorf("%s: status %d, stderr %s", signal, status, p.Stderr)
		}
		if left, _ := os.ReadDir(temporary); len(left) != 0 {
			t.Errorf("%s: left behind: %v", signal, left)
		}
	}
}

// RefusesOneSentence checks that an invalid command line gives one sentence on stderr, with status 1 or 2.
func RefusesOneSentence(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	other := Spawn(t, "start")
	port := strings.TrimPrefix(other.Ready(t)[1], "http://127.0.0.1:")
	for _, one := range []struct {
		arguments string
		status    int
		text      string
	}{
		{"start --ports " + port + ",0", 1, "in use by another program"},
		{"start --home /dev/null", 1, "cannot be read as a folder"},
		{"start --ports 70000,0", 2, "not a port number"},
		{"start --ports 1,2,3", 2, "REST port and the RPC port"},
		{"start --ports 1317,1317", 2, "two different ports"},
		{"start --home x --ephemeral", 2, "give one of them"},
		{"start --block-time -1s", 2, "negative"},
		{"start --block-time soon", 2, "--block-time"},
		{"start --chain-id " + strings.Repeat("x", 51), 2, "51 bytes"},
		{"start --mempool kind", 2, "give initia or classic"},
		{"start --bridge-addr init1", 2, "give its --bridge-id"},
		{"start --bridge-id 1 --bridge-addr 0x1", 2, "--bridge-addr 0x1: "},
		{"start now", 2, "unknown command"},
		{"start --fast", 2, "unknown flag"},
		{"run", 2, "unknown command"},
	} {
		p := Spawn(t, strings.Fields(one.arguments)...)
		status := p.Status(t)
		text := p.Stderr.String()
		if status != one.status || !strings.Contains(text, one.text) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: status %d, stderr %q", one.arguments, status, text)
		}
	}
	if status := other.End(t, syscall.SIGTERM); status != 0 {
		t.Errorf("status %d, stderr %s", status, other.Stderr)
	}
}

// Versions checks that `version` prints these names with their versions, one per line, and then the notice, if any.
func Versions(t *testing.T, names []string, notice string) {
	p := Spawn(t, "version")
	var lines []string
	for line := range p.Lines {
		lines = append(lines, line)
	}
	if status := p.Status(t); status != 0 || len(lines) < len(names) {
		t.Fatalf("status %d: %q", status, lines)
	}
	for i, name := range names {
		if match, _ := regexp.MatchString(fmt.Sprintf(`^%s v?\d+\.\d+\.\d+$`, name), lines[i]); !match {
			t.Errorf("line %q", lines[i])
		}
	}
	if rest := strings.Join(lines[len(names):], "\n"); rest != notice {
		t.Errorf("notice %q", rest)
	}
}
