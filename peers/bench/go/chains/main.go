// Command chains verifies chains with emmansun/gmsm: a peer of crates/kuaimi-pki/examples/chains/beside.rs, which says what it reads and
// writes.
package main

import (
	"bufio"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/emmansun/gmsm/smx509"
)

const count = 1000

type chain struct {
	end   *smx509.Certificate
	given *smx509.CertPool
}

func fail(reason any) {
	fmt.Println("error", reason)
	os.Exit(1)
}

func must[T any](value T, err error) T {
	if err != nil {
		fail(err)
	}
	return value
}

// certificates are those of a file.
func certificates(name string) []*smx509.Certificate {
	rest := must(os.ReadFile(filepath.Join(os.Args[1], name)))
	var list []*smx509.Certificate
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return list
		}
		list = append(list, must(smx509.ParseCertificate(block.Bytes)))
	}
}

func pool(name string) *smx509.CertPool {
	pool := smx509.NewCertPool()
	pool.AddCert(certificates(name)[0])
	return pool
}

// processorTime is that of the whole process: the collector's, too.
func processorTime() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	if len(os.Args) != 2 {
		fail("which folder?")
	}
	runtime.GOMAXPROCS(1)
	ends := certificates("ends.pem")
	roots := pool("root.pem")
	chains := make([]chain, count)
	for i := range chains {
		chains[i] = chain{ends[i], pool("middle.pem")}
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		chosen := must(strconv.Atoi(lines.Text()))
		start := processorTime()
		for i := range chosen {
			one := chains[i%count]
			_, err := one.end.Verify(smx509.VerifyOptions{
				DNSName: "bank.example", Intermediates: one.given, Roots: roots, CurrentTime: time.Unix(1780272000, 0),
				KeyUsages: []smx509.ExtKeyUsage{smx509.ExtKeyUsageServerAuth},
			})
			if err != nil {
				fail(err)
			}
		}
		fmt.Println(processorTime() - start)
	}
}
