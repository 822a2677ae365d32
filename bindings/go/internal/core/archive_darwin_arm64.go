//go:build cgo && !purego

package core

import "github.com/kuaimi/kuaimi/bindings/go/lib/darwin_arm64"

const archive = darwin_arm64.Archive
