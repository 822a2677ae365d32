module github.com/kuaimi/kuaimi/bindings/go/gmsm

go 1.25.0

require (
	github.com/emmansun/gmsm v0.44.0
	github.com/kuaimi/kuaimi/bindings/go v0.0.0
	golang.org/x/crypto v0.53.0
)

replace github.com/kuaimi/kuaimi/bindings/go => ../
