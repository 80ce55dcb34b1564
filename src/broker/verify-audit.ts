import type { Db } from '../db/open-database.ts';
import { auditHash, GENESIS, outcomeHash, SELECT_AUDIT, type StoredAuditRow } from './audit.ts';
import { canonicalHash } from './canonical-hash.ts';

export interface AuditProblem {
  /** The line; 0 where a line is missing altogether. */
  readonly seq: number;
  readonly problem: string;
}

export interface AuditReport {
  readonly lines: number;
  /** Hash of the last line: kept elsewhere, it proves that nothing was cut off the end. */
  readonly head: string;
  /** The first hundred. */
  readonly problems: readonly AuditProblem[];
}

const MOST_PROBLEMS = 100;

/** Checks every link of the chain, and every intent of the journal against the last line about it. */
export function verifyAudit(db: Db): AuditReport {
  const problems: AuditProblem[] = [];
  const note = (found: readonly AuditProblem[]) =>
    problems.push(...found.slice(0, MOST_PROBLEMS - problems.length));
  let previous = { seq: 0, hash: GENESIS };
  let began: string | undefined;
  const latest = new Map<string, Line>();
  for (const row of db.prepare<[], StoredAuditRow>(`${SELECT_AUDIT} ORDER BY seq`).iterate()) {
    note(problemsOfLink(row, previous));
    began ??= row.at;
    previous = row;
    if (row.action.startsWith('intent.')) latest.set(row.ref, lineOf(row));
  }
  for (const intent of intentsSince(db, began))
    note(problemsOfIntent(intent, latest.get(intent.id)));
  return { lines: previous.seq, head: previous.hash, problems };
}

interface Line {
  readonly seq: number;
  readonly status: string;
  readonly request: unknown;
  readonly outcome: unknown;
}

function lineOf({ seq, action, detail }: StoredAuditRow): Line {
  const { request, outcome = null } = JSON.parse(detail) as Partial<Line>;
  return { seq, status: action.slice('intent.'.length), request, outcome };
}

function problemsOfLink(
  row: StoredAuditRow,
  previous: { readonly seq: number; readonly hash: string },
): AuditProblem[] {
  const { seq } = row;
  return [
    ...(seq === previous.seq + 1 ? [] : [{ seq, problem: `line ${previous.seq + 1} is missing` }]),
    ...(row.prevHash === previous.hash
      ? []
      : [{ seq, problem: 'it does not follow the line before it' }]),
    ...(row.hash === auditHash(row)
      ? []
      : [{ seq, problem: 'its hash is not that of its content' }]),
  ];
}

interface IntentRow {
  readonly id: string;
  readonly status: string;
  readonly request: string;
  readonly outcome: string | null;
}

/** Intents are checked from the first line on: a database may be older than its audit. */
const intentsSince = (db: Db, began: string | undefined) =>
  db
    .prepare<[string], IntentRow>(
      'SELECT id, status, request, outcome FROM intents WHERE proposed_at >= ? ORDER BY id',
    )
    .iterate(began ?? '9');

function problemsOfIntent(intent: IntentRow, line: Line | undefined): AuditProblem[] {
  const { id, status, request, outcome } = intent;
  if (!line) return [{ seq: 0, problem: `no line speaks of intent ${id}` }];
  const { seq } = line;
  if (line.status !== status) {
    const problem = `intent ${id} is "${status}" in the journal and "${line.status}" here`;
    return [{ seq, problem }];
  }
  if (line.request !== canonicalHash(JSON.parse(request))) {
    return [{ seq, problem: `the request of intent ${id} was changed` }];
  }
  return line.outcome === outcomeHash(outcome)
    ? []
    : [{ seq, problem: `the outcome of intent ${id} was changed` }];
}
