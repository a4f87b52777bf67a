package move

import "encoding/binary"

// u64 encodes a number in BCS.
func u64(number uint64) []byte { return binary.LittleEndian.AppendUint64(nil, number) }

// length encodes the length of a list in BCS, which is ULEB128, the same as Uvarint.
func length(items int) []byte { return binary.AppendUvarint(nil, uint64(items)) }

// member returns an account of the tests, 0xab and its number.
func member(number uint64) []byte {
	address := make([]byte, 32)
	address[12] = 0xab
	binary.BigEndian.PutUint64(address[24:], number)
	return address
}

// table returns count members from the first, and their points 1000, 1001 and so on, as two lists in BCS.
func table(first uint64, count int) (members, points []byte) {
	members, points = length(count), length(count)
	for i := range uint64(count) {
		members = append(members, member(first+i)...)
		points = append(points, u64(1000+i)...)
	}
	return members, points
}
