module kuaimi/peers/tlcp

go 1.25.0

require (
	gitee.com/Trisia/gotlcp v1.5.0
	github.com/emmansun/gmsm v0.44.0
)

require golang.org/x/crypto v0.53.0 // indirect
