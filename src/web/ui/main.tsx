import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/page-head.css';
import './styles/parts.css';
import './styles/cards.css';
import './styles/blocks.css';
import './styles/icons.css';
import './styles/home.css';
import './styles/run.css';
import './styles/run-panes.css';
import './styles/approvals.css';
import './styles/runs.css';
import './styles/capsule.css';
import './styles/states.css';
import './styles/markdown.css';
import './styles/own.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { Problem } from './lib/server/api.ts';
import { openLive } from './lib/server/live.ts';
import { signIn, token, watchCode } from './lib/server/token.ts';
import { applyTheme } from './lib/theme.ts';
import { leaveOnEscape, watchPrefix } from './lib/use-keys.ts';
import { Empty } from './parts/states.tsx';

applyTheme();
watchPrefix();
leaveOnEscape();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream reports changes, so cached data stays valid.
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => error instanceof Problem && error.status === 0 && failures < 3,
    },
  },
});

watchCode(() => openLive(client));

const place = document.getElementById('page');
if (!place) throw new Error('index.html has no element #page.');
if (await signIn()) openLive(client);

/** The pages, or the sign-in page if this tab has no valid token. */
function Root() {
  return token.use() === '' ? <SignIn /> : <App />;
}

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Root />
    </QueryClientProvider>
  </StrictMode>,
);

/** Shown without a token. Only the link that `capstan serve` prints signs in. */
const SignIn = () => (
  <main id="main" className="alone">
    <h1 className="vh">Capstan</h1>
    <Empty title="Open the dashboard with the link that the server prints.">
      Type <code>capstan serve</code> in a terminal and open the link. Each link works once.
    </Empty>
  </main>
);
