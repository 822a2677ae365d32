//go:build cgo && !purego && darwin && arm64

// Package darwin_arm64 holds libkuaimi.a and kuaimi.h for darwin on arm64. `make go` in the repository puts them here.
//
// It is a package so that go mod vendor keeps the folder, and a new archive is a new package, so that programs are linked again.
package darwin_arm64

/*
#if !__has_include("kuaimi.h") || !__has_include("archive.h")
#error "libkuaimi.a for darwin/arm64 is missing: run make go in the repository of Kuaimi, or see docs/go.md for a build without cgo"
#else
#include "kuaimi.h"
#include "archive.h"
#endif
*/
import "C"

// Archive is the SHA-256 of the archive, in hexadecimal.
const Archive = C.KUAIMI_ARCHIVE
