// Package program has what all vipnode programs share: the command line, `start` and `version`.
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
	// Name is the program's name, also on its chain.
	Name string
	// Short describes the program in one sentence, without a period.
	Short string
	// Notice is what users must know, or "".
	Notice string
	// Modules determine how the chain behaves; `version` prints their versions.
	Modules []Module
	// Start describes its chain.
	Start Start
	// Commands are the commands besides `start` and `version`.
	Commands []*cobra.Command
}

// Run executes one command line and returns the exit status. An error is one sentence on stderr.
func (p Program) Run(arguments []string) int {
	root := p.rootCommand()
	// A failure before a command runs is a usage error.
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

// usageError is an error in how a command was called.
type usageError struct{ message string }

func usageErrorf(format string, values ...any) error {
	return &usageError{fmt.Sprintf(format, values...)}
}

func (e *usageError) Error() string { return e.message }

// ExitStatus returns the program's exit status.
func (*usageError) ExitStatus() int { return statusUsage }
