module github.com/cockroachdb/pebble

go 1.23
