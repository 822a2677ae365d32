// Package gmsm makes github.com/emmansun/gmsm compute where libkuaimi cannot: without cgo, with the build tag purego, and on platforms for
// which there is no libkuaimi. A program without this import does not link there.
//
//	import _ "github.com/kuaimi/kuaimi/bindings/go/gmsm"
//
// With gmsm, the packages of Kuaimi give the same results, slower, and promise less about secrets: gmsm's promises hold about the time that
// computations take, and nothing is wiped. So the program decides this, by an import in its package main, and a library should not. Where
// libkuaimi computes, the import does nothing. kuaimi.Backend says what computes.
//
// A package that calls Kuaimi while it is initialised must import this package itself.
package gmsm
