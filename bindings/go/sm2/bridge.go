package sm2

import (
	"github.com/kuaimi/kuaimi/bindings/go/internal/bridge"
	"github.com/kuaimi/kuaimi/bindings/go/internal/core"
)

func init() {
	bridge.Private = func(key any) *core.Handle {
		private, _ := key.(*PrivateKey)
		return private.handle()
	}
	bridge.NewPrivate = func(h *core.Handle, code core.Code) (any, error) { return newPrivateKey(h, code) }
}
