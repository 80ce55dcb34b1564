import { Link } from 'wouter';
import { Empty } from '../parts/states.tsx';

export const NotFound = () => (
  <>
    <h1 className="vh">Not found</h1>
    <Empty title="There is no such page.">
      <Link className="link" href="/">
        Home
      </Link>
    </Empty>
  </>
);
