package chain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	cmtdb "github.com/cometbft/cometbft-db"
	cmtconfig "github.com/cometbft/cometbft/config"
	"github.com/cometbft/cometbft/crypto/ed25519"
	"github.com/cometbft/cometbft/p2p"
	"github.com/cometbft/cometbft/privval"
	cmttypes "github.com/cometbft/cometbft/types"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

const (
	genesisFile = "genesis.json"
	dataFolder  = "data"
	vmFolder    = "vm"
	// In dataFolder, where CometBFT may leave a half-written file beside them if it is killed.
	validatorKeyFile   = "priv_validator_key.json"
	validatorStateFile = "priv_validator_state.json"
)

// home is where a chain keeps its key and its state: a permanent or a temporary folder.
type home struct {
	path      string
	temporary bool
	validator cmttypes.PrivValidator
	genesis   *cmttypes.GenesisDoc
	state     dbm.DB
	opened    []cmtdb.DB
}

// genesisNote records in the genesis document which program made it.
type genesisNote struct {
	Program string `json:"program"`
}

// openHome opens a chain's home and creates a new one. On an error it leaves nothing open.
func openHome(options Options) (*home, error) {
	if options.Home == "" {
		return openTemporaryHome(options)
	}
	path, err := filepath.Abs(options.Home)
	if err != nil {
		return nil, fmt.Errorf("%s is not a path: %w", options.Home, err)
	}
	if err := checkHome(path); err != nil {
		return nil, err
	}
	if err := makeFolders(path); err != nil {
		return nil, err
	}
	// First, because its lock keeps a second program out.
	state, err := openStateDatabase(filepath.Join(path, dataFolder), "application")
	if err != nil {
		if isInUse(err) {
			return nil, fmt.Errorf("%s is in use by another running node", path)
		}
		return nil, fmt.Errorf("the state in %s cannot be opened: %w", path, err)
	}
	validator, genesis, err := openChain(path, options)
	if err != nil {
		_ = state.Close()
		return nil, err
	}
	return &home{path: path, validator: validator, genesis: genesis, state: state}, nil
}

func openTemporaryHome(options Options) (*home, error) {
	path, err := os.MkdirTemp("", "vipnode-")
	if err != nil {
		return nil, fmt.Errorf("a temporary folder cannot be created: %w", err)
	}
	opened := &home{path: path, temporary: true}
	if err := makeFolders(path); err != nil {
		return nil, errors.Join(err, opened.close())
	}
	// Not the SDK's database in memory: a query that reads row after row keeps its lock, and a block that waits for that lock
	// keeps those that the query needs.
	state, err := dbm.NewGoLevelDBWithOpts("application", filepath.Join(path, dataFolder), temporaryOptions)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the state in %s cannot be opened: %w", path, err), opened.close())
	}
	opened.state = state
	// A chain that is never restarted need not remember what it signed.
	key := ed25519.GenPrivKey()
	opened.validator = cmttypes.NewMockPVWithParams(key, false, false)
	opened.genesis, err = makeGenesis(options, opened.validator)
	if err != nil {
		return nil, errors.Join(err, opened.close())
	}
	return opened, nil
}

// database opens one of CometBFT's databases.
func (h *home) database(context *cmtconfig.DBContext) (cmtdb.DB, error) {
	var options *opt.Options
	if h.temporary {
		options = temporaryOptions
	}
	opened, err := openBlockDatabase(filepath.Join(h.path, dataFolder), context.ID, options)
	if err != nil {
		return nil, err
	}
	h.opened = append(h.opened, opened)
	return opened, nil
}

// nodeKey is the key of the peer-to-peer port, which CometBFT opens although no peer ever connects.
func (h *home) nodeKey() *p2p.NodeKey { return &p2p.NodeKey{PrivKey: ed25519.GenPrivKey()} }

// close closes the databases and removes a temporary folder. It is safe to call twice.
func (h *home) close() error {
	var failures []error
	if h.state != nil {
		failures = append(failures, h.state.Close())
	}
	for _, database := range h.opened {
		failures = append(failures, database.Close())
	}
	for i, failure := range failures {
		if isClosed(failure) {
			failures[i] = nil
		}
	}
	if h.temporary {
		failures = append(failures, os.RemoveAll(h.path))
	}
	return errors.Join(failures...)
}

// checkHome refuses a folder with contents other than a chain.
func checkHome(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read as a folder: %w", path, err)
	}
	for _, entry := range entries {
		switch strings.TrimSuffix(entry.Name(), ".tmp") {
		case genesisFile, dataFolder, vmFolder:
		default:
			return fmt.Errorf("%s is not a chain's home: it holds %s; give a new or empty folder", path, entry.Name())
		}
	}
	return nil
}

func makeFolders(path string) error {
	for _, folder := range []string{dataFolder, vmFolder} {
		if err := os.MkdirAll(filepath.Join(path, folder), 0o700); err != nil {
			return fmt.Errorf("%s cannot be created: %w", filepath.Join(path, folder), err)
		}
	}
	return nil
}

func makeGenesis(options Options, validator cmttypes.PrivValidator) (*cmttypes.GenesisDoc, error) {
	key, err := validator.GetPubKey()
	if err != nil {
		return nil, fmt.Errorf("the validator has no key: %w", err)
	}
	note, err := json.Marshal(genesisNote{Program: options.Program})
	if err != nil {
		return nil, err
	}
	genesis := newGenesis(options.ChainID, key, note)
	if err := genesis.ValidateAndComplete(); err != nil {
		return nil, fmt.Errorf("the chain cannot begin: %w", err)
	}
	return genesis, nil
}

// openChain returns the validator and the genesis document of a home's chain, and creates them for a new chain. The document
// is written last and renamed into place, so that a crash leaves either no chain or a complete one.
func openChain(folder string, options Options) (cmttypes.PrivValidator, *cmttypes.GenesisDoc, error) {
	keyPath := filepath.Join(folder, dataFolder, validatorKeyFile)
	statePath := filepath.Join(folder, dataFolder, validatorStateFile)
	path := filepath.Join(folder, genesisFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		validator := privval.GenFilePV(keyPath, statePath)
		validator.Save()
		genesis, err := makeGenesis(options, validator)
		if err != nil {
			return nil, nil, err
		}
		if err = genesis.SaveAs(path + ".tmp"); err == nil {
			err = os.Rename(path+".tmp", path)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s cannot be written: %w", path, err)
		}
		return validator, genesis, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	genesis, err := readGenesis(content, folder, options)
	if err != nil {
		return nil, nil, err
	}
	// CometBFT ends the whole program if one of them is missing.
	for _, needed := range []string{keyPath, statePath} {
		if _, err := os.Stat(needed); err != nil {
			return nil, nil, fmt.Errorf("%s holds a chain without its validator: %w", folder, err)
		}
	}
	return privval.LoadFilePV(keyPath, statePath), genesis, nil
}

// readGenesis reads the document of a home's chain. It fails if the chain has another name or program.
func readGenesis(content []byte, folder string, options Options) (*cmttypes.GenesisDoc, error) {
	genesis, err := cmttypes.GenesisDocFromJSON(content)
	if err != nil {
		return nil, fmt.Errorf("%s in %s is not a genesis document: %w", genesisFile, folder, err)
	}
	var note genesisNote
	if err := json.Unmarshal(genesis.AppState, &note); err != nil {
		return nil, fmt.Errorf("%s in %s was not written by %s: %w", genesisFile, folder, options.Program, err)
	}
	if note.Program != options.Program {
		return nil, fmt.Errorf("%s holds a chain of %s, not of %s; give another folder", folder, note.Program, options.Program)
	}
	if genesis.ChainID != options.ChainID {
		return nil, fmt.Errorf("%s holds chain %s, not %s; give that chain id or another folder",
			folder, genesis.ChainID, options.ChainID)
	}
	return genesis, nil
}
