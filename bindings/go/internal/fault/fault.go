// Package fault turns the codes of package core into errors, also those of batches.
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
