package move

import (
	"regexp"
	"testing"
	"time"

	"github.com/cosmos/cosmos-sdk/types/query"

	"github.com/vipscore/vipscore/tools/vipnode/x/move/types"
)

// boardTable fills the board's table with count rows and returns its handle.
func (f *fixture) boardTable(t testing.TB, count int) string {
	t.Helper()
	for first := 0; first < count; first += 1000 {
		members, points := table(uint64(first+1), min(1000, count-first))
		_, _, err := f.execute(boardCall("put", nil, members, points))
		must(t, err)
	}
	response, err := f.queries.Resource(f.ctx, &types.QueryResourceRequest{Address: deployerHex, StructTag: deployerHex + "::board::Board"})
	must(t, err)
	return handleIn(t, response.Resource.MoveResource)
}

var handlePattern = regexp.MustCompile(`"handle":"(0x[0-9a-f]+)"`)

// handleIn returns the first table in a resource.
func handleIn(t testing.TB, resource string) string {
	t.Helper()
	found := handlePattern.FindStringSubmatch(resource)
	if found == nil {
		t.Fatalf("no table in %s", resource)
	}
	return found[1]
}

func TestTableEntry(t *testing.T) {
	f := withBoard(t)
	handle := f.boardTable(t, 3)
	info, err := f.queries.TableInfo(f.ctx, &types.QueryTableInfoRequest{Address: handle})
	must(t, err)
	wantEqual(t, info.TableInfo, types.TableInfo{Address: handle, KeyType: "address", ValueType: "u64"})

	response, err := f.queries.TableEntry(f.ctx, &types.QueryTableEntryRequest{Address: handle, KeyBytes: member(2)})
	must(t, err)
	entry := response.TableEntry
	wantEqual(t, entry.Key, `"0xab00000000000000000000000000000000000002"`)
	wantEqual(t, entry.Value, `"1001"`)
	wantBytes(t, entry.KeyBytes, member(2))
	wantBytes(t, entry.ValueBytes, u64(1001))

	_, err = f.queries.TableEntry(f.ctx, &types.QueryTableEntryRequest{Address: handle, KeyBytes: []byte{0, 0, 0}})
	full := address(t, handle).CanonicalString()
	wantError(t, err, "collections: not found: key 'hexBytes:"+full+"03000000' of type bytes")
}

func TestTablePages(t *testing.T) {
	f := withBoard(t)
	handle := f.boardTable(t, 7)
	read := func(page *query.PageRequest) (first, last uint64, response *types.QueryTableEntriesResponse) {
		t.Helper()
		response, err := f.queries.TableEntries(f.ctx, &types.QueryTableEntriesRequest{Address: handle, Pagination: page})
		must(t, err)
		entries := response.TableEntries
		return entryNumber(entries[0]), entryNumber(entries[len(entries)-1]), response
	}

	first, last, response := read(&query.PageRequest{Limit: 3})
	wantEqual(t, [2]uint64{first, last}, [2]uint64{1, 3})
	wantEqual(t, response.Pagination.Total, 0)
	wantBytes(t, response.Pagination.NextKey, member(4))

	first, last, response = read(&query.PageRequest{Limit: 3, Key: response.Pagination.NextKey})
	wantEqual(t, [2]uint64{first, last}, [2]uint64{4, 6})
	first, last, response = read(&query.PageRequest{Limit: 3, Key: response.Pagination.NextKey})
	wantEqual(t, [2]uint64{first, last}, [2]uint64{7, 7})
	wantEqual(t, len(response.Pagination.NextKey), 0)

	first, last, response = read(&query.PageRequest{Limit: 3, Reverse: true})
	wantEqual(t, [2]uint64{first, last}, [2]uint64{7, 5})
	first, last, _ = read(&query.PageRequest{Limit: 3, Reverse: true, Key: response.Pagination.NextKey})
	wantEqual(t, [2]uint64{first, last}, [2]uint64{4, 2})

	first, last, response = read(&query.PageRequest{Limit: 2, Offset: 4, CountTotal: true})
	wantEqual(t, [2]uint64{first, last}, [2]uint64{5, 6})
	wantEqual(t, response.Pagination.Total, 7)

	// Without page parameters: everything up to 100, and the total.
	first, last, response = read(nil)
	wantEqual(t, [2]uint64{first, last}, [2]uint64{1, 7})
	wantEqual(t, response.Pagination.Total, 7)

	_, err := f.queries.TableEntries(f.ctx, &types.QueryTableEntriesRequest{Address: handle, Pagination: &query.PageRequest{Offset: 1, Key: member(1)}})
	wantError(t, err, "invalid request, either offset or key is expected, got both")
}

func entryNumber(entry types.TableEntry) uint64 {
	return uint64(entry.KeyBytes[31]) | uint64(entry.KeyBytes[30])<<8
}

// Committed state is read page by page at its height, while the chain continues.
func TestTablePagesAtAHeight(t *testing.T) {
	f := withBoard(t)
	handle := f.boardTable(t, 2500)
	f.commit()
	height := f.store.LastCommitID().Version
	members, points := table(5000, 10)
	_, _, err := f.execute(boardCall("put", nil, members, points))
	must(t, err)
	f.commit()

	past, err := f.store.CacheMultiStoreWithVersion(height)
	must(t, err)
	ctx := f.ctx.WithMultiStore(past)
	rows, pages := 0, 0
	page := &query.PageRequest{Limit: 1000}
	start := time.Now()
	for {
		response, err := f.queries.TableEntries(ctx, &types.QueryTableEntriesRequest{Address: handle, Pagination: page})
		must(t, err)
		rows += len(response.TableEntries)
		pages++
		if len(response.Pagination.NextKey) == 0 {
			break
		}
		page = &query.PageRequest{Limit: 1000, Key: response.Pagination.NextKey}
	}
	wantEqual(t, [2]int{rows, pages}, [2]int{2500, 3})
	t.Logf("%d rows in %s", rows, time.Since(start))
}
