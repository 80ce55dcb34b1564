import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, ownIdentity } from '../../coordinator/life/process-identity.ts';
import type { Db } from '../../db/open-database.ts';
import { writePrivateFile } from '../../platform/files/private-file.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { tryOr } from '../../platform/try-or.ts';

/** The one server of a user. */
export interface ServerRow {
  /** Its address; undefined if none is running. */
  url(): string | undefined;
  /** Registers this process; false if another server is running. */
  claim(url: string): boolean;
  release(): void;
}

type Row = Readonly<Record<'owner' | 'url', string>>;

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

/** How long a one-time code can be exchanged. */
const CODE_MS = 10 * 60_000;

/** 256 random bits. */
const newSecret = (): string => randomBytes(32).toString('base64url');

/** One-time codes and tokens of the server, stored and looked up by their hash: the time of a look-up says nothing about them. */
export interface ServerSecrets {
  /** A new one-time code, good for ten minutes. */
  addCode(): string;
  /** The path of a private page that leads to a link with this code, until the code ends. Undefined if it can't be written. */
  writeLink(link: string, code: string): string | undefined;
  /** Removes the pages of links whose codes have expired, or all. */
  removeLinks(which: 'old' | 'all'): void;
  addToken(): string;
  /** A new token for a code, once. Undefined if the code is unknown, used or too old. */
  exchange(code: string): string | undefined;
  isToken(token: string): boolean;
  endToken(token: string): void;
  /** Ends every token and code. Returns their number. */
  revokeAll(): number;
}

export function createServerSecrets(db: Db, now: () => Date, linkFolder: string): ServerSecrets {
  const links = createLinkFiles(linkFolder);
  const insert = db.prepare('INSERT INTO server_secrets (hash, kind, expires_at) VALUES (?, ?, ?)');
  const takeCode = db.prepare(
    "DELETE FROM server_secrets WHERE hash = ? AND kind = 'code' AND expires_at > ?",
  );
  const removeOld = db.prepare('DELETE FROM server_secrets WHERE expires_at <= ?');
  const find = db.prepare("SELECT 1 FROM server_secrets WHERE hash = ? AND kind = 'token'").pluck();
  const remove = db.prepare('DELETE FROM server_secrets WHERE hash = ?');
  const removeAll = db.prepare('DELETE FROM server_secrets');
  const addToken = () => {
    const token = newSecret();
    insert.run(sha256(token), 'token', null);
    return token;
  };
  const exchange = db.transaction((code: string) =>
    takeCode.run(sha256(code), now().toISOString()).changes === 1 ? addToken() : undefined,
  );
  return {
    addCode() {
      removeOld.run(now().toISOString());
      const code = newSecret();
      insert.run(sha256(code), 'code', new Date(now().getTime() + CODE_MS).toISOString());
      return code;
    },
    writeLink: (link, code) => tryOr(() => links.write(link, code), undefined),
    removeLinks: (which) => links.removeOlder(which === 'all' ? 0 : CODE_MS),
    addToken,
    exchange(code) {
      const token = exchange.immediate(code);
      if (token !== undefined) links.remove(code);
      return token;
    },
    endToken: (token) => void remove.run(sha256(token)),
    isToken: (token) => find.get(sha256(token)) !== undefined,
    revokeAll() {
      links.removeOlder(0);
      return removeAll.run().changes;
    },
  };
}

/**
 * Pages that lead a browser to a link with a one-time code: every user of the machine can read the arguments of a program.
 *
 * @param folder Holds nothing else. Created with mode 0700; each page has mode 0600.
 */
function createLinkFiles(folder: string) {
  const pathOf = (code: string) => join(folder, `${sha256(code).slice(0, 16)}.html`);
  return {
    /** Returns the path of the page for this link. @throws AppError `PLACE_UNUSABLE`. */
    write(link: string, code: string) {
      const path = pathOf(code);
      writePrivateFile(path, pageOf(link));
      return path;
    },
    remove: (code: string) => rmSync(pathOf(code), { force: true }),
    /** Removes the pages that are at least this old. */
    removeOlder(ms: number) {
      for (const name of tryOr(() => readdirSync(folder), [])) {
        const path = join(folder, name);
        const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        if (Date.now() - writtenAt >= ms) rmSync(path, { force: true });
      }
    },
  };
}

/** Without a script, which a browser may refuse in a file. */
const pageOf = (link: string) => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Capstan</title>
<p><a href="${link}">Open the dashboard of Capstan</a></p>
`;
