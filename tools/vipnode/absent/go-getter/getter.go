// Package getter has the names of github.com/hashicorp/go-getter that cosmossdk.io/x/upgrade/plan uses. That package
// downloads the next release of a node; a development chain has none, so every download is refused.
package getter

import (
	"context"
	"errors"
	"net/http"
)

var errDownload = errors.New("vipnode does not download anything")

// Getter downloads from URLs of one scheme.
type Getter any

// Getters are the getters by scheme.
var Getters = map[string]Getter{}

// HttpGetter downloads over HTTP.
type HttpGetter struct {
	Client                *http.Client
	XTerraformGetDisabled bool
}

// Client is one download.
type Client struct {
	Ctx             context.Context
	DisableSymlinks bool
	Src, Dst, Pwd   string
	Getters         map[string]Getter
}

// Get refuses the download.
func (*Client) Get() error { return errDownload }

// Get refuses the download.
func Get(_, _ string) error { return errDownload }

// ChecksumError reports that a download has unexpected content.
type ChecksumError struct{}

func (*ChecksumError) Error() string { return "unexpected content" }
