//go:build mutation

package movepackage

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mutant is the scoring contract with one fault.
type mutant struct {
	line          int
	before, after string
	source        string
}

// faults are the changes tried at each place of a line of code.
var faults = []struct {
	pattern *regexp.Regexp
	becomes string
}{
	{regexp.MustCompile(` == `), " != "}, {regexp.MustCompile(` != `), " == "},
	{regexp.MustCompile(` <= `), " < "}, {regexp.MustCompile(` <= `), " > "},
	{regexp.MustCompile(` > `), " >= "}, {regexp.MustCompile(` > `), " <= "}, {regexp.MustCompile(` >= `), " > "},
	{regexp.MustCompile(` \+ `), " - "}, {regexp.MustCompile(` - `), " + "},
	{regexp.MustCompile(` \+= `), " -= "}, {regexp.MustCompile(` -= `), " += "},
	{regexp.MustCompile(` && `), " || "},
	{regexp.MustCompile(`\btrue\b`), "false"}, {regexp.MustCompile(`\bfalse\b`), "true"},
	{regexp.MustCompile(`if \(!`), "if ("}, {regexp.MustCompile(`if \((exists|\w+\.|publisher)`), "if (!$1"},
	{regexp.MustCompile(`assert!\(!`), "assert!("}, {regexp.MustCompile(`assert!\((\w+[.(<][^=]*, E)`), "assert!(!$1"},
	{regexp.MustCompile(`([ &])0\b`), "${1}1"}, {regexp.MustCompile(` 1\b`), " 2"},
	{regexp.MustCompile(`\b1000\b`), "999"}, {regexp.MustCompile(`\b1000\b`), "1001"},
	{regexp.MustCompile(`615;`), "614;"}, {regexp.MustCompile(`u8 = 2`), "u8 = 1"},
	{regexp.MustCompile(`= 0x([0-9a-f]+)`), "= 0x7$1"}, {regexp.MustCompile(`"1\.`), `"3.`},
	{regexp.MustCompile(`, E[A-Z_]+\);`), ", EDEPLOYER_EXISTS);"},
	{regexp.MustCompile(`option::none\(\)`), "option::some(0)"}, {regexp.MustCompile(`option::none\(\)`), "option::some(@0x1)"},
}

// notAStatement matches the line of a declaration, or the end of one that begins above; every other statement is removed once.
var notAStatement = regexp.MustCompile(`^(let |const |use |[)}])`)

// mutantsOf returns every fault in every line of code.
func mutantsOf(source string) []mutant {
	var mutants []mutant
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "//") || strings.HasPrefix(text, "use ") {
			continue
		}
		add := func(after string) {
			if after == line {
				return
			}
			changed := slices.Clone(lines)
			changed[i] = after
			mutants = append(mutants, mutant{i + 1, text, strings.TrimSpace(after), strings.Join(changed, "\n")})
		}
		for _, fault := range faults {
			for _, at := range fault.pattern.FindAllStringSubmatchIndex(line, -1) {
				add(line[:at[0]] + string(fault.pattern.ExpandString(nil, fault.becomes, line, at)) + line[at[1]:])
			}
		}
		if strings.HasSuffix(text, ";") && !notAStatement.MatchString(text) {
			// Removing it entirely would often be a compiler error: an annotation keeps it valid.
			statement, isElse := strings.CutPrefix(text, "else ")
			add(map[bool]string{true: "else "}[isElse] + "if (false) { " + statement + " };")
		}
	}
	return mutants
}

// libraryModules are the standard library modules that the contract is compiled with. The whole library would take
// most of a mutant's time.
var libraryModules = []string{
	"move_stdlib/sources/bcs", "move_stdlib/sources/error", "move_stdlib/sources/fixed_point32", "move_stdlib/sources/mem", "move_stdlib/sources/option",
	"move_stdlib/sources/signer", "move_stdlib/sources/string", "move_stdlib/sources/vector",
	"minitia_stdlib/sources/event", "minitia_stdlib/sources/math64", "minitia_stdlib/sources/simple_map", "minitia_stdlib/sources/table",
}

// The table registers its own account, which would need half of the library. Only the signature matters here: at run time
// the library on the chain is used.
const accountStub = `module std::account {
    friend std::table;
    public(friend) fun create_table_account(_handle: address): u64 { 0 }
}
`

// smallLibrary creates a package with the modules above.
func smallLibrary(t *testing.T) string {
	t.Helper()
	from, err := libraryFolder()
	if err != nil {
		t.Fatal(err)
	}
	p := &Package{Path: t.TempDir()}
	if err := os.Mkdir(filepath.Join(p.Path, "sources"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, module := range libraryModules {
		content, err := os.ReadFile(filepath.Join(from, "precompile", "modules", module+".move"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, p, "sources/"+filepath.Base(module)+".move", string(content))
	}
	write(t, p, "sources/account.move", accountStub)
	write(t, p, "Move.toml", "[package]\nname = \"MinitiaStdlib\"\nversion = \"1.0.0\"\n[addresses]\nstd = \"0x1\"\nminitia_std = \"0x1\"\n")
	return p.Path
}

// compileMutant builds the source of a mutant with the small library; an error means that it does not compile.
func compileMutant(t *testing.T, source, library string) ([]byte, error) {
	t.Helper()
	p := copyOf(t, contractFolder, "vip_score="+publisherHex)
	defer os.RemoveAll(p.Path)
	write(t, p, "sources/vip_score.move", source)
	manifest, err := os.ReadFile(contractFolder + "/Move.toml")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(manifest), "[dependencies]")
	write(t, p, "Move.toml", before+"[dependencies]\nMinitiaStdlib = { local = \""+library+"\" }\n")
	if err := Build(p); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(p.Path, "build", "vip_score", "bytecode_modules", "vip_score.mv"))
}

// mutantTests are the tests that a mutant must pass to survive.
type mutantTests struct {
	library string
	scripts map[string][]byte
	// origins are the contracts that are upgraded, nil for a new one; one random run each.
	origins [][]byte
}

// end reports which test killed a mutant, or that it survived.
func (tests mutantTests) end(t *testing.T, source string) string {
	t.Helper()
	code, err := compileMutant(t, source, tests.library)
	if err != nil {
		return "does not compile"
	}
	for seed, before := range tests.origins {
		run, err := newRandomRun(t, code, before, tests.scripts, int64(seed))
		if err == nil {
			err = run.play(callsOfARun)
		}
		if err != nil {
			return "killed by the model"
		}
	}
	if !passesConformance(t, code) {
		return "killed by conformance"
	}
	return "SURVIVED"
}

// passesConformance runs the scenarios of packages/conformance, which own the rules of docs/spec.md, on a compiled contract.
func passesConformance(t *testing.T, code []byte) bool {
	t.Helper()
	artifact := filepath.Join(t.TempDir(), "vip_score.mv")
	placed := bytes.ReplaceAll(code, publisher[:], []byte("vip_score::publisher_placeholder"))
	if err := os.WriteFile(artifact, placed, 0o644); err != nil {
		t.Fatal(err)
	}
	scenarios := exec.Command("../../node_modules/.bin/vitest", "run", "--bail=1", "--reporter=default", "test/move.test.ts")
	scenarios.Dir = "../../../packages/conformance"
	scenarios.Env = append(os.Environ(), "FUZZ_SEED=1", "VIPSCORE_CONFORMANCE_ARTIFACT="+artifact)
	return scenarios.Run() == nil
}

// explained are the surviving faults, with the reason.
var explained = map[string]string{
	"ModuleStore[@vip_score].deployers.add(deployer, false);": "no view shows the value; TestDeployersAreStoredAsPublished finds it",
	"if (false) { check_upgraded(); };":                       "the random runs complete an upgrade; TestAnIncompleteUpgradeIsReadOnly finds it",
	"if (offset > deployers.length()) return vector[];":       "the same answer: past the last deployer the list is trimmed to nothing",
}

// TestMutants plants faults in the contract, one at a time, and lists those that neither the model nor the conformance scenarios
// find. MUTANTS=40:80 runs only a part of them.
func TestMutants(t *testing.T) {
	content, err := os.ReadFile(contractFolder + "/sources/vip_score.move")
	if err != nil {
		t.Fatal(err)
	}
	source := string(content)
	tests := mutantTests{smallLibrary(t), scoreScripts(t), [][]byte{nil, nil, nil, referenceCode(t)}}
	if end := tests.end(t, source); end != "SURVIVED" {
		t.Fatalf("the contract without a fault: %s", end)
	}
	mutants := mutantsOf(source)
	first, last := 0, len(mutants)
	if part := os.Getenv("MUTANTS"); part != "" {
		if _, err := fmt.Sscanf(part, "%d:%d", &first, &last); err != nil {
			t.Fatalf("MUTANTS=%s: %v", part, err)
		}
	}
	counts := map[string]int{}
	for number, each := range mutants[first:min(last, len(mutants))] {
		t.Run(fmt.Sprintf("%d_line_%d", first+number, each.line), func(t *testing.T) {
			end := tests.end(t, each.source)
			counts[end]++
			t.Logf("%s: %s  →  %s", end, each.before, each.after)
			if reason := explained[each.after]; reason != "" {
				t.Log(reason)
			} else if end == "SURVIVED" {
				t.Fail()
			}
		})
	}
	t.Logf("%d mutants: %v", len(mutants), counts)
}
