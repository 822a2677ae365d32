// Package bridge lets the packages beside sm2 take the objects of its keys, and make keys of objects. Package sm2 sets the functions
// while it is initialised; who calls them imports it.
package bridge

import "github.com/kuaimi/kuaimi/bindings/go/internal/core"

// Private is the object of a *sm2.PrivateKey, or nil for anything else.
var Private func(key any) *core.Handle

// NewPrivate is the *sm2.PrivateKey of an object.
var NewPrivate func(h *core.Handle, code core.Code) (key any, err error)
