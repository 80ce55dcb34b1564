import type { Db } from '../../db/open-database.ts';
import { parseWellFormed } from '../../platform/text/well-formed.ts';
import { tryOr } from '../../platform/try-or.ts';
import {
  type AuditRow,
  auditHash,
  coverOf,
  GENESIS,
  keyOf,
  rowHash,
  SELECT_AUDIT,
  type StoredAuditRow,
} from './audit.ts';
import { type Cover, covers } from './covers.ts';

export interface AuditProblem {
  /** The line; 0 if a line is missing altogether. */
  readonly seq: number;
  readonly problem: string;
}

export interface AuditReport {
  readonly lines: number;
  /** Hash of the last line. A copy of it stored elsewhere detects a truncated chain. */
  readonly head: string;
  /** The first hundred. */
  readonly problems: readonly AuditProblem[];
}

const MAX_PROBLEMS = 100;

type Note = (found: readonly AuditProblem[]) => void;

/**
 * Checks every link of the chain, and every covered row against the last line about it, in one snapshot of the database.
 * A row without a line is a problem, and so is a line without its row.
 *
 * @param head A hash that was the head once: it must still be in the chain.
 */
export function verifyAudit(db: Db, { head }: { readonly head?: string } = {}): AuditReport {
  return db.transaction(() => {
    const problems: AuditProblem[] = [];
    const note: Note = (found) => problems.push(...found.slice(0, MAX_PROBLEMS - problems.length));
    const { last, said } = readChain(db, note);
    const isInChain = db.prepare<[unknown]>('SELECT 1 FROM audit WHERE hash = ?');
    if (head !== undefined && head !== GENESIS && !isInChain.get(head)) {
      const problem = `the line ${head} is not in the chain: the chain was truncated or rewritten`;
      note([{ seq: 0, problem }]);
    }
    const deleted = deletedRuns(said);
    for (const about of said) checkRows(db, about, deleted, note);
    return { lines: last.seq, head: last.hash, problems };
  })();
}

/** The statement of a line about its row. `detail.became` is what happened to it, such as `deleted`. */
type Line = Pick<AuditRow, 'seq' | 'runId' | 'detail'>;

/** The last line about each row, by the key of the row as JSON. */
type Lines = Map<string, Line>;

type Link = Pick<AuditRow, 'seq' | 'hash'>;

function readChain(db: Db, note: Note): { last: Link; said: ReadonlyMap<Cover, Lines> } {
  let last: Link = { seq: 0, hash: GENESIS };
  const said = new Map<Cover, Lines>(covers.map((cover) => [cover, new Map()]));
  for (const row of db.prepare<[], StoredAuditRow>(`${SELECT_AUDIT} ORDER BY seq`).iterate()) {
    note(problemsOfLink(row, last));
    last = { seq: row.seq, hash: row.hash };
    const cover = coverOf(row.action);
    if (!cover) continue;
    const detail = parsed(row.detail);
    const became = row.action.slice(row.action.indexOf('.') + 1);
    const { seq, runId, ref } = row;
    const key = JSON.stringify(keyOf(cover, { ref, detail }));
    said.get(cover)?.set(key, { seq, runId, detail: { ...detail, became } });
  }
  return { last, said };
}

/** The text may have been edited by hand. A column holds U+FFFD where its detail has a lone surrogate. */
const parsed = (text: string) =>
  (tryOr(() => parseWellFormed(text), undefined) ?? {}) as Line['detail'];

function problemsOfLink(row: StoredAuditRow, previous: Link): AuditProblem[] {
  const { seq } = row;
  const problems = [
    seq !== previous.seq + 1 && `line ${previous.seq + 1} is missing`,
    row.prevHash !== previous.hash && 'it does not follow the line before it',
    row.hash !== auditHash(row) && 'its hash does not match its content',
  ];
  return problems.flatMap((problem) => (problem ? [{ seq, problem }] : []));
}

/** Deleting a run deletes all its rows; its lines stay. */
function deletedRuns(said: ReadonlyMap<Cover, Lines>): ReadonlySet<string> {
  const runs = [...said].find(([{ table }]) => table === 'runs')?.[1] ?? new Map<string, Line>();
  const isDeleted = ({ detail }: Line) => detail['became'] === 'deleted';
  return new Set([...runs.values()].flatMap((line) => (isDeleted(line) ? (line.runId ?? []) : [])));
}

function checkRows(
  db: Db,
  [cover, lines]: readonly [Cover, Lines],
  deleted: ReadonlySet<string>,
  note: Note,
): void {
  const names = cover.key.filter((name) => name !== undefined);
  const rows = db
    .prepare<[], unknown[]>(
      `SELECT ${[...names, ...cover.columns].join(', ')} FROM ${cover.table} ORDER BY ${names.join(', ')}`,
    )
    .raw();
  const left = new Map(lines);
  for (const row of rows.iterate()) {
    const key = row.slice(0, names.length);
    const id = JSON.stringify(key);
    note(problemsOfRow(cover, key, row.slice(names.length), lines.get(id)));
    left.delete(id);
  }
  for (const [id, { seq, runId, detail }] of left) {
    const isGone = detail['row'] === null || (runId !== null && deleted.has(runId));
    const what = whatOf(cover, JSON.parse(id) as unknown[]);
    if (!isGone) note([{ seq, problem: `${what} was removed from the journal` }]);
  }
}

const whatOf = ({ label, key }: Cover, [ref, second]: readonly unknown[]): string =>
  `${label} ${ref}${second === undefined ? '' : ` (${key[1]} ${second})`}`;

function problemsOfRow(
  cover: Cover,
  key: readonly unknown[],
  values: readonly unknown[],
  line: Line | undefined,
): AuditProblem[] {
  const what = whatOf(cover, key);
  if (!line) return [{ seq: 0, problem: `no line records ${what}` }];
  const isSame = line.detail['row'] === rowHash(values);
  return isSame ? [] : [{ seq: line.seq, problem: `${what} was changed` }];
}
