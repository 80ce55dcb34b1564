import { Empty } from '../parts/states.tsx';

/** Shown without a token: the page has no other way in than the link that `capstan serve` prints. */
export const SignIn = () => (
  <main id="main" className="alone">
    <h1 className="vh">Capstan</h1>
    <Empty title="This page needs the link that the server prints.">
      Type <code>capstan serve</code> in a terminal and open the link. It works once; type it again
      for another.
    </Empty>
  </main>
);
