package chain

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cosmossdk.io/store/rootmulti"
	cmtdb "github.com/cometbft/cometbft-db"
	dbm "github.com/cosmos/cosmos-db"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// temporaryOptions are those of a database that need not outlive a crash. Memory takes the rows of most tests, so that none is
// sorted on disk, which took 40 percent more of a core.
var temporaryOptions = &opt.Options{NoSync: true, Compression: opt.NoCompression, WriteBuffer: 32 << 20}

// openStateDatabase opens the state machine's database. Its lock shows whether another program uses the folder.
func openStateDatabase(folder, name string) (dbm.DB, error) {
	database, err := openOrRestart(folder, name, func() (dbm.DB, error) { return dbm.NewGoLevelDB(name, folder, nil) })
	if err != nil {
		return nil, err
	}
	// The stores of a first block are written one after another, and the block last. A program killed between
	// them leaves stores with an initial state, over which the SDK would write the initial state again.
	if rootmulti.GetLatestVersion(database) == 0 {
		if err := clearDatabase(database); err != nil {
			return nil, errors.Join(err, database.Close())
		}
	}
	return database, nil
}

func clearDatabase(database dbm.DB) error {
	entries, err := database.Iterator(nil, nil)
	if err != nil {
		return err
	}
	defer entries.Close()
	all := database.NewBatch()
	defer all.Close()
	for ; entries.Valid(); entries.Next() {
		if err := all.Delete(bytes.Clone(entries.Key())); err != nil {
			return err
		}
	}
	return errors.Join(entries.Error(), all.Write())
}

// openBlockDatabase opens one of CometBFT's databases. Without options it has LevelDB's own.
func openBlockDatabase(folder, name string, options *opt.Options) (cmtdb.DB, error) {
	return openOrRestart(folder, name, func() (cmtdb.DB, error) {
		return cmtdb.NewGoLevelDBWithOpts(name, folder, options)
	})
}

// openOrRestart opens a database, and recreates it if a program was killed while creating it: without the file CURRENT
// nothing can have been written.
func openOrRestart[DB any](folder, name string, open func() (DB, error)) (DB, error) {
	database, err := open()
	if err == nil || isInUse(err) {
		return database, err
	}
	path := filepath.Join(folder, name+".db")
	if _, missing := os.Stat(filepath.Join(path, "CURRENT")); !errors.Is(missing, fs.ErrNotExist) {
		return database, err
	}
	if err := os.RemoveAll(path); err != nil {
		return database, err
	}
	return open()
}

// isInUse reports whether a database is open in another program, or twice in this one.
func isInUse(err error) bool {
	return strings.Contains(err.Error(), "resource temporarily unavailable")
}

// isClosed reports whether a database was closed before.
func isClosed(err error) bool { return err != nil && strings.Contains(err.Error(), "leveldb: closed") }
