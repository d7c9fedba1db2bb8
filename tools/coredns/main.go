// CoreDNS with the plugins that a cluster without a way out needs: without the clients of three clouds a third of the modules.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/hosts"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/loop"
	_ "github.com/coredns/coredns/plugin/ready"
	_ "github.com/coredns/coredns/plugin/reload"
)

func main() {
	// The order of the chain; it is CoreDNS's own.
	dnsserver.Directives = []string{"reload", "health", "ready", "errors", "cache", "hosts", "loop", "kubernetes"}
	coremain.Run()
}
