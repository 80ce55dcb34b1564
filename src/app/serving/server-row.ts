import { isAlive, ownIdentity } from '../../coordinator/life/process-identity.ts';
import type { Db } from '../../db/open-database.ts';

/** The one server of a user. */
export interface ServerRow {
  /** Its address; undefined if none is running. */
  url(): string | undefined;
  /** Registers this process; false if another server is running. */
  claim(url: string): boolean;
  release(): void;
}

interface Row {
  readonly owner: string;
  readonly url: string;
}

export function createServerRow(db: Db, now: () => Date): ServerRow {
  const find = db.prepare<[], Row>('SELECT owner, url FROM server WHERE id = 1');
  const write = db.prepare('INSERT OR REPLACE INTO server (id, owner, url) VALUES (1, ?, ?)');
  const remove = db.prepare('DELETE FROM server WHERE owner = ?');
  const running = (): Row | undefined => {
    const row = find.get();
    // Without a lease: a process of an earlier boot is gone, and one of another container has another loopback.
    return row && isAlive(row.owner, null, now()) ? row : undefined;
  };
  const claim = db.transaction((url: string) => {
    const row = running();
    if (row && row.owner !== ownIdentity()) return false;
    write.run(ownIdentity(), url);
    return true;
  });
  return {
    url: () => running()?.url,
    claim: (url) => claim.immediate(url),
    release: () => void remove.run(ownIdentity()),
  };
}
