import { Suspense, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { visible } from './lib/text/format.ts';
import { switchTheme } from './lib/theme.ts';
import { useKeys } from './lib/use-keys.ts';
import { Home } from './pages/home/home.tsx';
import { later } from './parts/later.tsx';
import { Empty, Loading } from './parts/states.tsx';
import { Boundary } from './shell/boundary.tsx';
import { KeySheet } from './shell/key-sheet.tsx';
import { places } from './shell/places.ts';
import { Shell } from './shell/shell.tsx';
import { Toast } from './shell/toast.tsx';

const Approvals = later(() => import('./pages/approvals/approvals.tsx'));
const Runs = later(() => import('./pages/runs/runs.tsx'));
const Run = later(() => import('./pages/run/run.tsx'));
const Capsules = later(() => import('./pages/capsules/capsules.tsx'));
const Capsule = later(() => import('./pages/capsule/capsule.tsx'));
const Cost = later(() => import('./pages/cost.tsx'));
const Health = later(() => import('./pages/health.tsx'));

/** The pages by their addresses, and the keys that work everywhere. */
export function App() {
  const [place, go] = useLocation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys({
    ...Object.fromEntries(places.map(([path, , , keys]) => [keys, () => go(path)])),
    c: () => go('/?new'),
    t: switchTheme,
    '?': () => setHelpOpen(true),
    '/': () => document.querySelector<HTMLElement>('[type=search]')?.focus(),
  });
  return (
    <Shell openHelp={() => setHelpOpen(true)}>
      <Boundary place={place}>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/approvals/:id?" component={Approvals} />
            <Route path="/runs" component={Runs} />
            <Route path="/runs/:id" component={Run} />
            <Route path="/capsules" component={Capsules} />
            <Route path="/capsules/:id" component={Capsule} />
            <Route path="/cost" component={Cost} />
            <Route path="/health" component={Health} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Boundary>
      <KeySheet isOpen={isHelpOpen} close={() => setHelpOpen(false)} />
      <Toast />
    </Shell>
  );
}

/** Shown for an unknown address. */
function NotFound() {
  const [address] = useLocation();
  return (
    <>
      <h1>Not found</h1>
      <Empty title={`There is no page ${visible(address)}.`}>
        <Link className="link" href="/">
          Home
        </Link>{' '}
        ·{' '}
        <Link className="link" href="/runs">
          All runs
        </Link>
      </Empty>
    </>
  );
}
