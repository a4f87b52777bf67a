// Package pebble has the names of github.com/cockroachdb/pebble that github.com/cosmos/cosmos-db uses for a kind of database
// that a development chain never opens: it keeps its state in memory or in goleveldb.
package pebble

import (
	"errors"
	"io"
)

// ErrNotFound is the error for a missing key.
var ErrNotFound = errors.New("pebble: not found")

var errAbsent = errors.New("vipnode is built without pebble")

// Logger receives the messages of a database.
type Logger interface {
	Infof(format string, args ...any)
	Fatalf(format string, args ...any)
}

type noLogger struct{}

func (noLogger) Infof(string, ...any)  {}
func (noLogger) Fatalf(string, ...any) {}

// DefaultLogger drops every message.
var DefaultLogger Logger = noLogger{}

// Options say how a database is opened.
type Options struct {
	Logger                   Logger
	MaxConcurrentCompactions func() int
	MaxOpenFiles             int
}

// EnsureDefaults returns the options.
func (o *Options) EnsureDefaults() *Options { return o }

// WriteOptions say whether a write waits for the disk.
type WriteOptions struct{}

// Both ways to write.
var (
	Sync   = &WriteOptions{}
	NoSync = &WriteOptions{}
)

// IterOptions bound an iterator.
type IterOptions struct{ LowerBound, UpperBound []byte }

// Open refuses to open a database, so that nothing below is ever called.
func Open(string, *Options) (*DB, error) { return nil, errAbsent }

// DB is a database.
type DB struct{}

func (*DB) Get([]byte) ([]byte, io.Closer, error)   { return nil, nil, errAbsent }
func (*DB) Set(_, _ []byte, _ *WriteOptions) error  { return errAbsent }
func (*DB) Delete([]byte, *WriteOptions) error      { return errAbsent }
func (*DB) NewIter(*IterOptions) (*Iterator, error) { return nil, errAbsent }
func (*DB) NewBatch() *Batch                        { return &Batch{} }
func (*DB) Close() error                            { return errAbsent }

// Batch is a set of writes.
type Batch struct{}

func (*Batch) Set(_, _ []byte, _ *WriteOptions) error { return errAbsent }
func (*Batch) Delete([]byte, *WriteOptions) error     { return errAbsent }
func (*Batch) Commit(*WriteOptions) error             { return errAbsent }
func (*Batch) Close() error                           { return errAbsent }
func (*Batch) Len() int                               { return 0 }

// Iterator walks over keys.
type Iterator struct{}

func (*Iterator) First() bool   { return false }
func (*Iterator) Last() bool    { return false }
func (*Iterator) Next() bool    { return false }
func (*Iterator) Prev() bool    { return false }
func (*Iterator) Valid() bool   { return false }
func (*Iterator) Key() []byte   { return nil }
func (*Iterator) Value() []byte { return nil }
func (*Iterator) Error() error  { return errAbsent }
func (*Iterator) Close() error  { return errAbsent }
