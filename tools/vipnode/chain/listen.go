package chain

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"cosmossdk.io/log"
)

// serverStopBound is how long open requests may take when the node stops.
const serverStopBound = 2 * time.Second

// listen opens a port on 127.0.0.1; 0 is any free port.
func listen(port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is in use by another program; choose another port, or 0 for any free port", port)
	}
	if err != nil {
		return nil, fmt.Errorf("port %d cannot be opened: %w", port, err)
	}
	return listener, nil
}

// httpServer answers on a port that is already open.
type httpServer struct {
	server   *http.Server
	listener net.Listener
}

func newHTTPServer(listener net.Listener) *httpServer {
	return &httpServer{listener: listener, server: &http.Server{ReadHeaderTimeout: 10 * time.Second}}
}

func (s *httpServer) start(handler http.Handler, logger log.Logger) {
	s.server.Handler = allowPages(http.MaxBytesHandler(handler, maxRequestBytes))
	go func() {
		if err := s.server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("the server has ended", "address", s.listener.Addr(), "err", err)
		}
	}()
}

// allowPages lets pages of any origin call the chain, as `enabled-unsafe-cors` and `cors_allowed_origins` of a node do: the
// keys of a local chain are public.
func allowPages(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		answer.Header().Set("Access-Control-Allow-Origin", "*")
		answer.Header().Set("Access-Control-Allow-Headers", "*")
		if request.Method == http.MethodOptions {
			answer.WriteHeader(http.StatusNoContent)
			return
		}
		handler.ServeHTTP(answer, request)
	})
}

func (s *httpServer) url() string { return "http://" + s.listener.Addr().String() }

// stop waits for open requests to end, and ends them after a while.
func (s *httpServer) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), serverStopBound)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		_ = s.server.Close()
	}
	// A server that never started does not know its listener.
	_ = s.listener.Close()
}
