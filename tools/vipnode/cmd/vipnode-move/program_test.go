package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runsProgram makes the test's own executable behave as the program.
const runsProgram = "VIPNODE_TEST_RUNS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(runsProgram) != "" {
		os.Exit(run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// process is the program, running on its own.
type process struct {
	command *exec.Cmd
	stderr  *bytes.Buffer
	lines   chan string
}

func spawn(t *testing.T, arguments ...string) *process {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{command: exec.Command(executable, arguments...), stderr: new(bytes.Buffer), lines: make(chan string, 8)}
	p.command.Env = append(os.Environ(), runsProgram+"=1")
	p.command.Stderr = p.stderr
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
			p.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	return p
}

var readyLine = regexp.MustCompile(`^ready rest=(http://127\.0\.0\.1:\d+) rpc=(http://127\.0\.0\.1:\d+) chain-id=(\S+)( vip=0x[0-9a-f]{64})?$`)

// ready waits for the line that tells where the chain answers, and gives its parts.
func (p *process) ready(t *testing.T) []string {
	t.Helper()
	select {
	case line := <-p.lines:
		parts := readyLine.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("the first line is %q; stderr: %s", line, p.stderr)
		}
		return parts
	case <-time.After(30 * time.Second):
		t.Fatalf("not ready; stderr: %s", p.stderr)
		return nil
	}
}

// end sends a signal and gives the status that the program ends with.
func (p *process) end(t *testing.T, signal syscall.Signal) int {
	t.Helper()
	if err := p.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	return p.status(t)
}

// status waits for the end of the program.
func (p *process) status(t *testing.T) int {
	t.Helper()
	for line := range p.lines {
		t.Errorf("a line too much on stdout: %q", line)
	}
	_ = p.command.Wait()
	return p.command.ProcessState.ExitCode()
}

func TestEndsInOrder(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		temporary := t.TempDir()
		t.Setenv("TMPDIR", temporary)
		begin := time.Now()
		p := spawn(t, "start")
		parts := p.ready(t)
		t.Logf("ready after %s", time.Since(begin))
		if parts[3] != "vipnode-move-1" || parts[4] != "" {
			t.Errorf("ready line %q", parts[0])
		}
		if status := p.end(t, signal); status != 0 || p.stderr.Len() != 0 {
			t.Errorf("%s: status %d, stderr %s", signal, status, p.stderr)
		}
		if left, _ := os.ReadDir(temporary); len(left) != 0 {
			t.Errorf("%s: left behind: %v", signal, left)
		}
	}
}

func TestPlaysL1(t *testing.T) {
	p := spawn(t, "start", "--l1")
	if parts := p.ready(t); parts[3] != "vipnode-l1-1" || parts[4] == "" {
		t.Errorf("ready line %q", parts[0])
	}
	if status := p.end(t, syscall.SIGINT); status != 0 {
		t.Errorf("status %d, stderr %s", status, p.stderr)
	}
}

func TestRefusesOneSentence(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	other := spawn(t, "start")
	port := strings.TrimPrefix(other.ready(t)[1], "http://127.0.0.1:")
	for _, one := range []struct {
		arguments string
		status    int
		text      string
	}{
		{"start --ports " + port + ",0", 1, "in use by another program"},
		{"start --home /dev/null", 1, "cannot be read as a folder"},
		{"start --ports 70000,0", 2, "no port number"},
		{"start --ports 1,2,3", 2, "REST port and the RPC port"},
		{"start --ports 1317,1317", 2, "two different ports"},
		{"start --home x --ephemeral", 2, "give one of them"},
		{"start --block-time -1s", 2, "negative"},
		{"start --block-time soon", 2, "--block-time"},
		{"start --chain-id " + strings.Repeat("x", 51), 2, "51 bytes"},
		{"start now", 2, "unknown command"},
		{"start --fast", 2, "unknown flag"},
		{"run", 2, "unknown command"},
	} {
		p := spawn(t, strings.Fields(one.arguments)...)
		status := p.status(t)
		text := p.stderr.String()
		if status != one.status || !strings.Contains(text, one.text) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: status %d, stderr %q", one.arguments, status, text)
		}
	}
	if status := other.end(t, syscall.SIGTERM); status != 0 {
		t.Errorf("status %d, stderr %s", status, other.stderr)
	}
}

func TestVersion(t *testing.T) {
	p := spawn(t, "version")
	var lines []string
	for line := range p.lines {
		lines = append(lines, line)
	}
	if status := p.status(t); status != 0 || len(lines) != 5 || lines[4] != licenceSentence {
		t.Fatalf("status %d: %q", status, lines)
	}
	for i, name := range []string{program, "cosmos-sdk", "cometbft", "movevm"} {
		if match, _ := regexp.MatchString(fmt.Sprintf(`^%s v?\d+\.\d+\.\d+$`, name), lines[i]); !match {
			t.Errorf("line %q", lines[i])
		}
	}
}
