// Command site serves the built page on loopback.
//
//	site -dir dist -port 8080    serves dist/ until it is interrupted
//	site -figures DIR -out DIR   writes what the build needs: the presets, and pictures of their figures
//
// Any static host can serve dist/; this one adds the right types and headers for caching and
// security.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "site:", err)
		}
		os.Exit(2)
	}
}

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("site", flag.ContinueOnError)
	dir := flags.String("dir", "dist", "the folder of the built site")
	port := flags.Int("port", 8080, "the loopback port; 0 takes a free one")
	figures := flags.String("figures", "", "the folder of the precomputed figures")
	out := flags.String("out", "", "the folder to write the pictures and the presets to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *out != "" {
		return writePictures(*out, *figures)
	}
	if _, err := os.Stat(filepath.Join(*dir, "index.html")); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "http://%s/\n", listener.Addr())
	server := &http.Server{Handler: Static(os.DirFS(*dir)), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}
