//go:build cgo && !purego

package core

import "github.com/kuaimi/kuaimi/bindings/go/lib/darwin_amd64"

const archive = darwin_amd64.Archive
