// Package programtest runs vipnode programs as separate processes, and kills them.
package programtest

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/vipscore/vipscore/tools/vipnode/chain/chaintest"
)

// runsProgram makes the test's own executable behave as the program.
const runsProgram = "VIPNODE_TEST_RUNS_PROGRAM"

// Main is the body of a TestMain: it runs the tests, or the program if Spawn started it.
func Main(m *testing.M, run func(arguments []string) int) {
	if os.Getenv(runsProgram) != "" {
		os.Exit(run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// Process is the program in its own process.
type Process struct {
	Stderr *bytes.Buffer
	// Lines are the lines that it writes to stdout.
	Lines   chan string
	command *exec.Cmd
}

// Spawn starts the program with arguments. It is killed when the test ends.
func Spawn(t *testing.T, arguments ...string) *Process {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &Process{command: exec.Command(executable, arguments...), Stderr: new(bytes.Buffer), Lines: make(chan string, 8)}
	p.command.Env = append(os.Environ(), runsProgram+"=1")
	p.command.Stderr = p.Stderr
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.Lines)
		for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
			p.Lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() { _ = p.command.Process.Kill() })
	return p
}

var readyLine = regexp.MustCompile(`^ready rest=(http://127\.0\.0\.1:\d+) rpc=(http://127\.0\.0\.1:\d+) chain-id=(\S+)( vip=0x[0-9a-f]{64})?$`)

// Ready waits for the ready line and returns it with its parts: REST, RPC, chain id and note.
func (p *Process) Ready(t *testing.T) []string {
	t.Helper()
	select {
	case line := <-p.Lines:
		parts := readyLine.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("the first line is %q; stderr: %s", line, p.Stderr)
		}
		return parts
	case <-time.After(chaintest.HangBound):
		t.Fatalf("not ready; stderr: %s", p.Stderr)
		return nil
	}
}

// End sends a signal and returns the program's exit status.
func (p *Process) End(t *testing.T, signal syscall.Signal) int {
	t.Helper()
	if err := p.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	return p.Status(t)
}

// Status waits for the end of the program.
func (p *Process) Status(t *testing.T) int {
	t.Helper()
	for line := range p.Lines {
		t.Errorf("an extra line on stdout: %q", line)
	}
	_ = p.command.Wait()
	return p.command.ProcessState.ExitCode()
}

// Kill ends the program like a power failure, as far as a test can.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	_ = p.command.Wait()
}
