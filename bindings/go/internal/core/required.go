//go:build libkuaimi && (!cgo || purego || !((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64))))

package core

// The tag libkuaimi is for builds that must not fall back to gmsm. This name stands nowhere else, so that the compiler prints it.
var _ = the_tag_libkuaimi_needs_CGO_ENABLED_1_and_a_C_compiler_for_linux_or_darwin_on_amd64_or_arm64_and_not_the_tag_purego
