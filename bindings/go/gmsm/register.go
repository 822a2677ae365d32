//go:build !cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package gmsm

import (
	_ "unsafe" // for go:linkname

	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

// functions is gmsm as an implementation of package core.
type functions struct{}

func init() { core.Register(functions{}) }

// Backend names what computes.
func (functions) Backend() string { return "gmsm" }

// chosen is the function that programs need to link without cgo: see the function of this name in package core.
//
//go:linkname chosen libkuaimi_needs_CGO_ENABLED=1,_a_C_compiler,_no_tag_purego,_and_linux_or_darwin_on_amd64_or_arm64;_to_compute_with_gmsm_instead,_import_"github.com/kuaimi/kuaimi/bindings/go/gmsm"_(see_docs/go.md)
func chosen() {}
