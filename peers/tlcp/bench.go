package main

import (
	"fmt"
	"io"
	"net"
	"time"

	"gitee.com/Trisia/gotlcp/tlcp"
)

// How long one figure is measured.
const measured = 2 * time.Second

// bench prints a line for each suite: handshakes and resumed ones a second, and megabytes a second,
// of both sides together.
func bench(folder string, client, server *tlcp.Config) error {
	pairs, err := pair(folder, "client")
	if err != nil {
		return err
	}
	for _, suite := range []uint16{tlcp.ECDHE_SM4_GCM_SM3, tlcp.ECC_SM4_GCM_SM3, tlcp.ECDHE_SM4_CBC_SM3, tlcp.ECC_SM4_CBC_SM3} {
		ours, theirs := client.Clone(), server.Clone()
		ours.CipherSuites, theirs.CipherSuites = []uint16{suite}, []uint16{suite}
		if suite == tlcp.ECDHE_SM4_GCM_SM3 || suite == tlcp.ECDHE_SM4_CBC_SM3 {
			ours.Certificates, theirs.ClientAuth, theirs.ClientCAs = pairs, tlcp.RequireAndVerifyClientCert, client.RootCAs
		}
		ours.SessionCache, theirs.SessionCache = nil, nil
		full, err := rate(func() error { return handshake(ours, theirs) })
		if err != nil {
			return err
		}
		ours.SessionCache, theirs.SessionCache = tlcp.NewLRUSessionCache(16), tlcp.NewLRUSessionCache(16)
		resumed, err := rate(func() error { return handshake(ours, theirs) })
		if err != nil {
			return err
		}
		one, other, err := connect(ours, theirs)
		if err != nil {
			return err
		}
		data, found := make([]byte, 1<<16), make([]byte, 1<<16)
		pieces, err := rate(func() error {
			go one.Write(data)
			_, err := io.ReadFull(other, found)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Printf("%-20s %8.0f %11.0f %7.0f\n", tlcp.CipherSuiteName(suite), full, resumed, pieces*float64(len(data))/1e6)
	}
	return nil
}

func rate(work func() error) (float64, error) {
	if err := work(); err != nil {
		return 0, err
	}
	start, count := time.Now(), 0
	for time.Since(start) < measured {
		if err := work(); err != nil {
			return 0, err
		}
		count++
	}
	return float64(count) / time.Since(start).Seconds(), nil
}

// connect joins two sides in memory.
func connect(client, server *tlcp.Config) (*tlcp.Conn, *tlcp.Conn, error) {
	here, there := net.Pipe()
	one, other := tlcp.Client(here, client), tlcp.Server(there, server)
	done := make(chan error, 1)
	go func() { done <- other.Handshake() }()
	if err := one.Handshake(); err != nil {
		return nil, nil, err
	}
	return one, other, <-done
}

func handshake(client, server *tlcp.Config) error {
	one, other, err := connect(client, server)
	if err != nil {
		return err
	}
	// Without close_notify, for which the other side would have to read.
	return errorsOf(one.NetConn().Close(), other.NetConn().Close())
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
