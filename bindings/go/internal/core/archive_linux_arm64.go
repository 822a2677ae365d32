//go:build cgo && !purego

package core

import "github.com/kuaimi/kuaimi/bindings/go/lib/linux_arm64"

const archive = linux_arm64.Archive
