import type { Db } from '../db/open-database.ts';
import { auditHash, GENESIS, SELECT_AUDIT, type StoredAuditRow, textHash } from './audit.ts';
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

/**
 * Checks every link of the chain, and the rows of intents, questions and runs against the last line about each: as they
 * stand at one moment, whatever other processes write meanwhile.
 *
 * @param head A hash that was the head once: it must still be in the chain.
 */
export function verifyAudit(db: Db, { head }: { readonly head?: string } = {}): AuditReport {
  return db.transaction(() => {
    const problems: AuditProblem[] = [];
    const note = (found: readonly AuditProblem[]) =>
      problems.push(...found.slice(0, MOST_PROBLEMS - problems.length));
    const told = readChain(db, note);
    if (head !== undefined && head !== GENESIS && !told.isIn(head)) {
      note([
        {
          seq: 0,
          problem: `the line ${head} is not in the chain: the end was cut off, or all was written anew`,
        },
      ]);
    }
    for (const intent of intentsSince(db, told.began)) {
      note(problemsOfIntent(intent, told.intents.get(intent.id)));
      told.intents.delete(intent.id);
    }
    for (const approval of approvalsSince(db, told.began)) {
      note(problemsOfApproval(approval, told.answers.get(approval.id)));
      told.answers.delete(approval.id);
    }
    note(problemsOfMissing(db, told));
    return { lines: told.last.seq, head: told.last.hash, problems };
  })();
}

/** What the chain says last of each row. */
interface Told {
  readonly last: { readonly seq: number; readonly hash: string };
  /** Time of the first line. */
  readonly began: string | undefined;
  readonly intents: Map<string, Line>;
  readonly answers: Map<string, Line>;
  readonly deletedRuns: ReadonlySet<string>;
  isIn(hash: string): boolean;
}

interface Line {
  readonly seq: number;
  readonly runId: string | null;
  /** What became of the row: `done`, `answered`. */
  readonly became: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

function readChain(db: Db, note: (found: readonly AuditProblem[]) => void): Told {
  let last = { seq: 0, hash: GENESIS };
  let began: string | undefined;
  const intents = new Map<string, Line>();
  const answers = new Map<string, Line>();
  const deletedRuns = new Set<string>();
  for (const row of db.prepare<[], StoredAuditRow>(`${SELECT_AUDIT} ORDER BY seq`).iterate()) {
    note(problemsOfLink(row, last));
    began ??= row.at;
    last = { seq: row.seq, hash: row.hash };
    if (row.action.startsWith('intent.')) intents.set(row.ref, lineOf(row));
    else if (row.action === 'approval.answered') answers.set(row.ref, lineOf(row));
    else if (row.action === 'run.deleted') deletedRuns.add(row.ref);
  }
  const find = db.prepare<[string], number>('SELECT seq FROM audit WHERE hash = ?').pluck();
  const isIn = (hash: string) => find.get(hash) !== undefined;
  return { last, began, intents, answers, deletedRuns, isIn };
}

function lineOf({ seq, runId, action, detail }: StoredAuditRow): Line {
  const became = action.slice(action.indexOf('.') + 1);
  return { seq, runId, became, detail: parsed(detail) as Line['detail'] };
}

/** Text that somebody may have written by hand. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function problemsOfLink(row: StoredAuditRow, previous: Told['last']): AuditProblem[] {
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
  readonly effects: string | null;
  readonly cost: number;
}

/** Rows are checked from the first line on: a database may be older than its audit. */
const intentsSince = (db: Db, began: string | undefined) =>
  db
    .prepare<[string], IntentRow>(
      'SELECT id, status, request, outcome, effects, cost_micro_usd AS cost FROM intents WHERE proposed_at >= ? ORDER BY id',
    )
    .iterate(began ?? '9');

function problemsOfIntent(intent: IntentRow, line: Line | undefined): AuditProblem[] {
  const { id, status } = intent;
  if (!line) return [{ seq: 0, problem: `no line speaks of intent ${id}` }];
  const { seq, became, detail } = line;
  if (became !== status) {
    const problem = `intent ${id} is "${status}" in the journal and "${became}" here`;
    return [{ seq, problem }];
  }
  const changed = Object.entries(hashesOf(intent)).filter(
    ([name, is]) => (detail[name] ?? null) !== is,
  );
  return changed.map(([name]) => ({
    seq,
    problem: `the ${words[name] ?? name} of intent ${id} was changed`,
  }));
}

const hashesOf = ({ request, outcome, effects, cost }: IntentRow) => ({
  request: canonicalHash(parsed(request)),
  outcome: textHash(outcome),
  effects: textHash(effects),
  cost_micro_usd: cost,
});

const words: Readonly<Record<string, string>> = { effects: 'effect', cost_micro_usd: 'cost' };

interface ApprovalRow {
  readonly id: string;
  readonly answer: string | null;
  readonly answeredBy: string | null;
  readonly binding: string;
}

const approvalsSince = (db: Db, began: string | undefined) =>
  db
    .prepare<[string], ApprovalRow>(
      'SELECT id, answer, answered_by AS answeredBy, binding FROM approvals WHERE created_at >= ? ORDER BY id',
    )
    .iterate(began ?? '9');

function problemsOfApproval(
  { id, answer, answeredBy, binding }: ApprovalRow,
  line: Line | undefined,
): AuditProblem[] {
  if (!line) {
    return answer === null
      ? []
      : [{ seq: 0, problem: `no line speaks of the answer to question ${id}` }];
  }
  const { seq, detail } = line;
  const isSame =
    detail['answer'] === answer && detail['by'] === answeredBy && detail['binding'] === binding;
  return isSame ? [] : [{ seq, problem: `the answer to question ${id} was changed` }];
}

/** Rows that the chain speaks of and that are not there: they may only go with their whole run, and that has its line. */
function problemsOfMissing(db: Db, { intents, answers, deletedRuns }: Told): AuditProblem[] {
  const left = [
    ...[...intents].map(([id, line]) => ({ ...line, what: `intent ${id}` })),
    ...[...answers].map(([id, line]) => ({ ...line, what: `question ${id}` })),
  ];
  const isThere = db.prepare<[string | null], number>('SELECT 1 FROM runs WHERE id = ?').pluck();
  const isGone = ({ runId }: Line) =>
    runId !== null && deletedRuns.has(runId) && isThere.get(runId) === undefined;
  return left
    .filter((line) => !isGone(line))
    .map(({ seq, what }) => ({ seq, problem: `${what} was removed from the journal` }));
}
