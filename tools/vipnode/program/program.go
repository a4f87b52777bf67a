// Package program is what every vipnode program does: its command line, its `start` and its `version`.
package program

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

const (
	statusFailed = 1
	statusUsage  = 2
)

// Program is one vipnode program.
type Program struct {
	// Name is what it is called, and the name under which its chain presents itself.
	Name string
	// Short says in one sentence, without a full stop, what it is.
	Short string
	// Notice is what its users have to know, or nothing.
	Notice string
	// Modules decide how its chain behaves; `version` tells their versions.
	Modules []Module
	// Start is its chain.
	Start Start
	// Commands are those it has besides `start` and `version`.
	Commands []*cobra.Command
}

// Run executes one command line and gives the status to exit with. An error is one sentence on stderr.
func (p Program) Run(arguments []string) int {
	root := p.rootCommand()
	// What fails before a command runs is about how it was called.
	status := statusUsage
	root.PersistentPreRun = func(*cobra.Command, []string) { status = statusFailed }
	root.SetArgs(arguments)
	err := root.Execute()
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
	if withStatus := interface{ ExitStatus() int }(nil); errors.As(err, &withStatus) {
		return withStatus.ExitStatus()
	}
	return status
}

func (p Program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           p.Name,
		Short:         p.Short,
		Long:          p.Short + ".",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	if p.Notice != "" {
		root.Long += "\n\n" + p.Notice
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(p.startCommand())
	root.AddCommand(p.Commands...)
	root.AddCommand(p.versionCommand())
	return root
}

// usageError is about how a command was called.
type usageError struct{ message string }

func usageErrorf(format string, values ...any) error {
	return &usageError{fmt.Sprintf(format, values...)}
}

func (e *usageError) Error() string { return e.message }

// ExitStatus is the status that the program ends with.
func (*usageError) ExitStatus() int { return statusUsage }
