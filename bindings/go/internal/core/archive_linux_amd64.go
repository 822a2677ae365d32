//go:build cgo && !purego

package core

import "github.com/kuaimi/kuaimi/bindings/go/lib/linux_amd64"

const archive = linux_amd64.Archive
