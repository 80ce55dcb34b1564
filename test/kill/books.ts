import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { createAgreedCapsules } from '../../src/broker/agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../../src/broker/agreed/agreed-files.ts';
import { createAudit } from '../../src/broker/audit/audit.ts';
import { createJournal } from '../../src/broker/intent/journal.ts';
import { createApprovalDesk } from '../../src/broker/questions/approval-desk.ts';
import { createApprovalStore } from '../../src/broker/questions/approval-store.ts';
import { createRememberedAnswers } from '../../src/broker/questions/remembered-answers.ts';
import { createTrustStore } from '../../src/broker/questions/trust-store.ts';
import type { Approval } from '../../src/contract/approval.ts';
import { watchChanges } from '../../src/db/changes/watch-changes.ts';
import { isLock } from '../../src/db/health/storage-failure.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import type { Programs } from './build-programs.ts';
import { MODEL_URL, type Outside } from './outside.ts';
import type { Said, Stopped } from './program.ts';

/** One run, in its own home and workspace, over as many processes as it needs. */
export interface Books {
  readonly name: string;
  readonly workspace: string;
  /** Capstan's own four folders. */
  readonly home: string;
  readonly database: string;
  readonly outside: Outside;
  /** Every answer that was given and taken. */
  readonly answers: readonly GivenAnswer[];
  readonly environment: Readonly<Record<string, string>>;
  /** What arrived in the ledger, and what the command counted, which can reach only the workspace. */
  entries(): readonly string[];
  /** Answers questions: approves, and for an unknown outcome says whether the ledger has it. */
  answerAll(): Promise<void>;
  /** Copies all that is there, under this name, and the counts outside. Returns what puts the copy in its place, once. */
  copy(name: string): () => void;
  remove(): void;
}

export interface GivenAnswer {
  readonly id: string;
  readonly answer: string;
}

export function openBooks(name: string, outside: Outside, cacheDir: string): Books {
  const root = mkdtempSync(join(tmpdir(), 'capstan-kill-'));
  const workspace = join(root, 'workspace');
  const home = join(root, 'home');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'input.txt'), 'input\n');
  writeFileSync(join(workspace, 'books.txt'), 'nothing\n');
  writeFileSync(join(workspace, 'count.sh'), COUNT);
  const personal = join(home, 'data', 'agents', 'ledger-clerk');
  cpSync(join(import.meta.dirname, 'clerk'), personal, { recursive: true });
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  writeFileSync(join(home, 'config', 'prices.yaml'), PRICES, { mode: 0o600 });
  const ledger = new URL(outside.ledgerOf(name)).origin;
  writeFileSync(join(home, 'config', 'services.yaml'), servicesAt(ledger), { mode: 0o600 });
  symlinkSync(cacheDir, join(home, 'cache'));
  const answers: GivenAnswer[] = [];
  const entries = () => [...outside.entriesOf(name), ...linesOf(join(workspace, COUNTED))];
  const database = join(home, 'state', 'capstan.db');
  return {
    name,
    workspace,
    home,
    database,
    outside,
    answers,
    entries,
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: root,
      CAPSTAN_HOME: home,
      CAPSTAN_PROVIDER: 'openai',
      CAPSTAN_BASE_URL: MODEL_URL,
      CAPSTAN_MODEL_FAST: 'gpt-4o',
      CAPSTAN_MODEL_BALANCED: 'gpt-4o',
      CAPSTAN_MODEL_BEST: 'gpt-4o',
      CAPSTAN_PRIVATE_ORIGINS: ledger,
      LEDGER_KEY: 'another-key-that-opens-nothing',
      OPENAI_API_KEY: 'a-key-that-opens-nothing',
      HTTP_PROXY: outside.proxy,
      KILL_TASK: `Keep the books of ${outside.ledgerOf(name)} .`,
    },
    answerAll: () => answerAll(database, (question) => answerOf(question, entries()), answers),
    copy(as) {
      const left = join(root, 'copies', as);
      mkdirSync(left, { recursive: true });
      execFileSync('cp', ['-a', workspace, home, left]);
      const given = [...answers];
      const putBackCounts = outside.keep(name);
      return () => {
        for (const folder of [workspace, home]) {
          rmSync(folder, { recursive: true });
          renameSync(join(left, basename(folder)), folder);
        }
        answers.splice(0, answers.length, ...given);
        putBackCounts();
      };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The model's prices, since no list has them. */
const PRICES = `openai:
  gpt-4o: { input_usd: 2.5, output_usd: 10, date: '2026-09-23' }
`;

/** The ledger once more, as a service that costs something. */
const servicesAt = (origin: string): string => `services:
  ledger:
    origin: ${origin}
    auth: { header: x-key, env: LEDGER_KEY }
    price_usd: 0.01
    methods: [POST]
`;

/** Where the command counts. */
export const COUNTED = 'counted.txt';

/** What a command of the run does: one more line. */
const COUNT = `echo counting >> ${COUNTED}\n`;

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];

/** For an unknown outcome, the ledger has the answer. */
function answerOf({ kind, details, target }: Approval, entries: readonly string[]) {
  if (kind !== 'unknown') return 'approve';
  const entry = details.includes('count.sh')
    ? 'counting'
    : /\/(opening|closing)"/.exec(details)?.[1];
  if (entry === undefined) throw new Error(`unknown: ${target} ${details}`);
  return entries.includes(entry) ? 'it_happened' : 'do_it';
}

/** Answers every open question like another process: over its own connection. */
async function answerAll(
  path: string,
  answerTo: (question: Approval) => Approval['choices'][number],
  given: GivenAnswer[],
): Promise<void> {
  if (!existsSync(path)) return;
  const db = openDatabase(path);
  try {
    db.pragma('busy_timeout = 0');
    const audit = createAudit(db, () => new Date(), noSecrets);
    const journal = createJournal(db, audit, noSecrets);
    const approvals = createApprovalStore(db, audit, () => new Date(), noSecrets);
    const remembered = createRememberedAnswers(db, () => new Date(), noSecrets);
    const trust = createTrustStore(db, audit, () => new Date());
    const desk = createApprovalDesk({
      changes: watchChanges(db),
      journal,
      approvals,
      remembered,
      audit,
      trust,
      agreed: createAgreedCapsules(db, () => new Date(), createAgreedFiles(db, noSecrets)),
    });
    for (const question of approvals.pending()) {
      // What a killed process sent may still be on its way to the ledger.
      if (question.kind === 'unknown') await pause(100);
      const answer = answerTo(question);
      const { id, binding } = question;
      const decide = () => desk.decide(question, { answer, by: 'dashboard', binding });
      if (await onceUnlocked(decide)) given.push({ id, answer });
    }
  } finally {
    db.close();
  }
}

/** Waits without blocking this process: one that is stopped while it writes is waited for by this process alone. */
async function onceUnlocked<T>(write: () => T): Promise<T> {
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (!isLock(error)) throw error;
      await pause(10);
    }
  }
}

export interface LifeOptions {
  readonly programs: Programs;
  /** The fail point at which it ends; default: none. */
  readonly killAt?: number;
  /** Milliseconds after which it is killed; default: none. */
  readonly killAfterMs?: number;
  /** Capsules as separate processes; default: inside the run's process. */
  readonly isReal?: boolean;
  /** The fail points at which it stops, and what is done there, which ends it or lets it go on. */
  readonly stops?: Stops;
}

export interface Stops {
  readonly from: number;
  readonly every: number;
  at(point: number, child: ChildProcess): void;
}

/** How one process ended. */
export interface Life {
  readonly wasKilled: boolean;
  readonly ended: Extract<Said, { type: 'ended' }> | undefined;
  /** What it said as it broke off. */
  readonly problem: string;
}

/** Time limit of one process, in milliseconds. */
const DEADLINE_MS = 120_000;

/** Starts the run, or continues it, in one process, and answers its questions from this one. */
export async function live(books: Books, options: LifeOptions): Promise<Life> {
  const { programs, killAt, killAfterMs, stops, isReal = false } = options;
  const child = spawn(process.execPath, ['--require', programs.stopAt, programs.program], {
    cwd: books.workspace,
    env: {
      ...books.environment,
      KILL_POINTS: join(books.home, 'points'),
      ...(isReal ? {} : { KILL_IN_MEMORY: '1' }),
      ...(killAt === undefined ? {} : { KILL_AT: String(killAt) }),
      ...(stops && { STOP_FROM: String(stops.from), STOP_EVERY: String(stops.every) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? DEADLINE_MS);
  let ended: Life['ended'];
  let problem = '';
  let answering: Promise<unknown> = Promise.resolve();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const said = JSON.parse(line) as Said | Stopped;
    if (said.type === 'asked') answering = answering.then(books.answerAll);
    if (said.type === 'stopped') stops?.at(said.point, child);
    if (said.type === 'ended') ended = said;
    if (said.type === 'broke') problem = said.message;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text;
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, by) => resolve(by)),
  );
  clearTimeout(timer);
  await answering;
  return { wasKilled: signal === 'SIGKILL', ended, problem };
}
