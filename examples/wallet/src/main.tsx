import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

// What is shown follows the chain. The indexer's client repeats failed requests itself.
const queries = { refetchInterval: 4_000, retry: false };
const client = new QueryClient({ defaultOptions: { queries } });

const root = document.querySelector("#root");
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
  );
