// Validates Grafana dashboards, whose paths are its arguments, against Grafana's own schema: fields that the schema does not
// have are refused too, also those of the panels and of Prometheus' queries.
package main

import (
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

func main() {
	known := cog.NewRuntime()
	known.RegisterDataqueryVariant(prometheus.VariantConfig())
	known.RegisterPanelcfgVariant(stat.VariantConfig())
	known.RegisterPanelcfgVariant(table.VariantConfig())
	known.RegisterPanelcfgVariant(timeseries.VariantConfig())
	for _, path := range os.Args[1:] {
		if err := validate(path); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			os.Exit(1)
		}
	}
}

func validate(path string) error {
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
