package main

import (
	"syscall"
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/program/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, newProgram().Run) }

func TestEndsInOrder(t *testing.T) { programtest.EndsInOrder(t, "vipnode-move-1") }

func TestRefusesOneSentence(t *testing.T) { programtest.RefusesOneSentence(t) }

func TestVersion(t *testing.T) {
	programtest.Versions(t, []string{name, "cosmos-sdk", "cometbft", "movevm"}, licenseSentence)
}

func TestPlaysL1(t *testing.T) {
	p := programtest.Spawn(t, "start", "--l1")
	if parts := p.Ready(t); parts[3] != "vipnode-l1-1" || parts[4] == "" {
		t.Errorf("ready line %q", parts[0])
	}
	if status := p.End(t, syscall.SIGINT); status != 0 {
		t.Errorf("status %d, stderr %s", status, p.Stderr)
	}
}
