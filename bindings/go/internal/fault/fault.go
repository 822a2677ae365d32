// Package fault turns the codes of package core into errors.
package fault

import (
	"github.com/kuaimi/kuaimi/bindings/go"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// Of is the error that a code stands for, which allocates nothing.
func Of(code core.Code) error {
	if code == core.OK {
		return nil
	}
	return kuaimi.Error(code)
}

// First is the first error of some results.
func First(results []error) error {
	for _, err := range results {
		if err != nil {
			return err
		}
	}
	return nil
}
