// Command vipnode-move is a development chain with the Move virtual machine of Initia's rollups.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// program is the name under which the chain presents itself.
const program = "vipnode-move"

const (
	statusFailed = 1
	statusUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run executes one command line and gives the status to exit with. An error is one sentence on stderr.
func run(arguments []string) int {
	root := newRootCommand()
	// What fails before a command runs is about how it was called.
	status := statusUsage
	root.PersistentPreRun = func(*cobra.Command, []string) { status = statusFailed }
	root.SetArgs(arguments)
	err := root.Execute()
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
	if withStatus := interface{ ExitStatus() int }(nil); errors.As(err, &withStatus) {
		return withStatus.ExitStatus()
	}
	return status
}

// usageError is about how a command was called.
type usageError struct{ message string }

func usageErrorf(format string, values ...any) error {
	return &usageError{fmt.Sprintf(format, values...)}
}

func (e *usageError) Error() string { return e.message }

// ExitStatus is the status that the program ends with.
func (*usageError) ExitStatus() int { return statusUsage }

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           program,
		Short:         "A development chain with the Move virtual machine of Initia's rollups",
		Long:          "A development chain with the Move virtual machine of Initia's rollups.\n\n" + licenceSentence,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newStartCommand(), newBuildCommand(), newTestCommand(), newCoverageCommand(), newVersionCommand())
	return root
}
