// Reads the files that are its arguments as the programs do which they are for: Grafana's dashboards (.json) by Grafana's own
// schema, in which a field that it does not have is a fault, and compositions (.yaml) by Docker's loader.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

func main() {
	// The fields of these queries and panels are checked too.
	known := cog.NewRuntime()
	known.RegisterDataqueryVariant(prometheus.VariantConfig())
	known.RegisterPanelcfgVariant(stat.VariantConfig())
	known.RegisterPanelcfgVariant(table.VariantConfig())
	known.RegisterPanelcfgVariant(timeseries.VariantConfig())
	for _, path := range os.Args[1:] {
		read := readDashboard
		if strings.HasSuffix(path, ".yaml") {
			read = readComposition
		}
		if err := read(path); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			os.Exit(1)
		}
		fmt.Printf("%s: ok\n", path)
	}
}

func readDashboard(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var read dashboard.Dashboard
	// Its list of faults is an error also while it is empty.
	if err := read.UnmarshalJSONStrict(text); err != nil && err.Error() != "" {
		return err
	}
	return read.Validate()
}

func readComposition(path string) error {
	options, err := cli.NewProjectOptions([]string{path})
	if err != nil {
		return err
	}
	_, err = options.LoadProject(context.Background())
	return err
}
