using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (
      name = "worker",
      worker = (
        modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
        bindings = [(name = "ASSETS", service = "assets")],
        compatibilityDate = "2026-11-01",
      ),
    ),
    (name = "assets", disk = "public"),
    # The chain and the indexer are on this machine.
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", http = (), service = "worker")],
);
