// Command tlcp runs gotlcp as a server that echoes or as a client, for the tests of kuaimi-tlcp.
//
//	tlcp server FOLDER SUITE none|required COUNT        prints its port first
//	tlcp client FOLDER SUITE none|pair COUNT PORT       COUNT connections, which share sessions
//	tlcp bench FOLDER                                   how many handshakes and megabytes a second, in memory
//
// The folder has root.crt, and for server and client NAME-sign.crt, NAME-sign.pem, NAME-encrypt.crt
// and NAME-encrypt.pem. For each connection, a line says what was agreed on:
// SUITE RESUMED CERTIFICATES ALPN.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"gitee.com/Trisia/gotlcp/tlcp"
	"github.com/emmansun/gmsm/smx509"
)

const length = 100_000

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 2 && arguments[0] == "bench" {
		return prepareBench(arguments[1])
	}
	if len(arguments) < 5 {
		return fmt.Errorf("too few arguments")
	}
	folder, auth := arguments[1], arguments[3]
	suite, err := strconv.ParseUint(arguments[2], 16, 16)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(arguments[4])
	if err != nil {
		return err
	}
	roots, err := authorities(folder)
	if err != nil {
		return err
	}
	config := &tlcp.Config{
		CipherSuites: []uint16{uint16(suite)},
		NextProtos:   []string{"second", "first"},
		SessionCache: tlcp.NewLRUSessionCache(16),
	}
	if arguments[0] == "client" {
		config.RootCAs, config.ServerName = roots, "tlcp.example"
		if auth == "pair" {
			if config.Certificates, err = pair(folder, "client"); err != nil {
				return err
			}
		}
		return client(config, count, arguments[5])
	}
	if config.Certificates, err = pair(folder, "server"); err != nil {
		return err
	}
	if auth == "required" {
		config.ClientAuth, config.ClientCAs = tlcp.RequireAndVerifyClientCert, roots
	}
	return server(config, count)
}

func authorities(folder string) (*smx509.CertPool, error) {
	root, err := os.ReadFile(filepath.Join(folder, "root.crt"))
	if err != nil {
		return nil, err
	}
	roots := smx509.NewCertPool()
	if !roots.AppendCertsFromPEM(root) {
		return nil, fmt.Errorf("root.crt has no certificate")
	}
	return roots, nil
}

func prepareBench(folder string) error {
	roots, err := authorities(folder)
	if err != nil {
		return err
	}
	own, err := pair(folder, "server")
	if err != nil {
		return err
	}
	return bench(folder, &tlcp.Config{RootCAs: roots, ServerName: "tlcp.example"}, &tlcp.Config{Certificates: own})
}

func pair(folder, name string) ([]tlcp.Certificate, error) {
	var both []tlcp.Certificate
	for _, half := range []string{"sign", "encrypt"} {
		path := filepath.Join(folder, name+"-"+half)
		one, err := tlcp.LoadX509KeyPair(path+".crt", path+".pem")
		if err != nil {
			return nil, err
		}
		both = append(both, one)
	}
	return both, nil
}

func report(connection *tlcp.Conn) {
	state := connection.ConnectionState()
	fmt.Printf("%04x %v %d %s\n", state.CipherSuite, state.DidResume, len(state.PeerCertificates), state.NegotiatedProtocol)
}

func server(config *tlcp.Config, count int) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	for range count {
		socket, err := listener.Accept()
		if err != nil {
			return err
		}
		connection := tlcp.Server(socket, config)
		if err := connection.Handshake(); err != nil {
			fmt.Println("error:", err)
			connection.Close()
			continue
		}
		report(connection)
		if _, err := io.Copy(connection, connection); err != nil {
			return err
		}
		connection.Close()
	}
	return nil
}

func client(config *tlcp.Config, count int, port string) error {
	sent := make([]byte, length)
	for i := range sent {
		sent[i] = byte(i % 251)
	}
	for range count {
		connection, err := tlcp.Dial("tcp", "127.0.0.1:"+port, config)
		if err != nil {
			return err
		}
		report(connection)
		go connection.Write(sent)
		found := make([]byte, length)
		if _, err := io.ReadFull(connection, found); err != nil {
			return err
		}
		if !bytes.Equal(sent, found) {
			return fmt.Errorf("the echo is something else")
		}
		connection.Close()
	}
	return nil
}
