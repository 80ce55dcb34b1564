import { Empty } from '../parts/states.tsx';

/** Shown without a token. Only the link that `capstan serve` prints signs in. */
export const SignIn = () => (
  <main id="main" className="alone">
    <h1 className="vh">Capstan</h1>
    <Empty title="Open the dashboard with the link that the server prints.">
      Type <code>capstan serve</code> in a terminal and open the link. Each link works once.
    </Empty>
  </main>
);
