//go:build cgo && !purego && linux && amd64

// Package linux_amd64 holds libkuaimi.a and kuaimi.h for linux on amd64. `make go` in the repository puts them here.
//
// It is a package so that go mod vendor keeps the folder, and a new archive is a new package, so that programs are linked again.
package linux_amd64

/*
#if !__has_include("kuaimi.h") || !__has_include("archive.h")
#error "libkuaimi.a for linux/amd64 is missing: run make go in the repository of Kuaimi, or see docs/go.md for a build without cgo"
#else
#include "kuaimi.h"
#include "archive.h"
#endif
*/
import "C"

// Archive is the SHA-256 of the archive, in hexadecimal.
const Archive = C.KUAIMI_ARCHIVE
