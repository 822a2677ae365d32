module github.com/kuaimi/kuaimi/bindings/go/peers

go 1.25.0

require (
	github.com/emmansun/gmsm v0.44.0
	github.com/hyperledger/fabric-lib-go v1.1.2
	github.com/kuaimi/kuaimi/bindings/go v0.0.0
	github.com/tjfoc/gmsm v1.4.1
)

require (
	golang.org/x/crypto v0.53.0 // indirect
	golang.org/x/sys v0.46.0 // indirect
)

replace github.com/kuaimi/kuaimi/bindings/go => ../
