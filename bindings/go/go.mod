module github.com/kuaimi/kuaimi/bindings/go

go 1.25.0
