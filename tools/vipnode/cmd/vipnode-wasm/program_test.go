package main

import (
	"testing"

	"github.com/vipscore/vipscore/tools/vipnode/program/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, newProgram().Run) }

func TestEndsInOrder(t *testing.T) { programtest.EndsInOrder(t, "vipnode-wasm-1") }

func TestRefusesOneSentence(t *testing.T) { programtest.RefusesOneSentence(t) }

func TestVersion(t *testing.T) {
	programtest.Versions(t, []string{name, "cosmos-sdk", "cometbft", "wasmd", "wasmvm"}, "")
}

// There is no L1 to play without Move.
func TestDoesNotPlayL1(t *testing.T) {
	p := programtest.Spawn(t, "start", "--l1")
	if status := p.Status(t); status != 2 {
		t.Errorf("status %d, stderr %s", status, p.Stderr)
	}
}
