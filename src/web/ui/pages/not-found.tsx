import { Link, useLocation } from 'wouter';
import { visible } from '../lib/visible.ts';
import { Empty } from '../parts/states.tsx';

/** Shown for an unknown address. */
export function NotFound() {
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
