import { join } from 'node:path';
import { createBroker } from '../../src/broker/answer.ts';
import { createChangeRecorder } from '../../src/broker/changes/change-recorder.ts';
import { createChangeRows } from '../../src/broker/changes/change-rows.ts';
import type { ToolCallResult } from '../../src/contract/wire/coordinator-messages.ts';
import { ownIdentity } from '../../src/coordinator/life/process-identity.ts';
import { type Db, openDatabase } from '../../src/db/open-database.ts';
import { uuidv7 } from '../../src/db/uuidv7.ts';
import { isProtectedPath } from '../../src/policy/protected/protected-paths.ts';
import { toolbox } from '../../src/tools/toolbox.ts';
import {
  type Approver,
  brokerPartsOf,
  type PartsChanges,
  policyWith,
  runScopeOf,
} from '../setup/broker-parts.ts';
import type { Person } from '../setup/temporary-person.ts';

/** A run in a person's project whose tool calls go through the real broker; every question is approved. */
export interface ChangingRun {
  readonly id: string;
  tool(name: string, args: Record<string, unknown>): Promise<ToolCallResult>;
  /** A shell string with access to write. */
  shell(command: string): Promise<ToolCallResult>;
  write(path: string, content: string): Promise<ToolCallResult>;
  /** Leaves a command as a kill of the process does: it may have changed files that were never compared. */
  cutOff(): void;
  /** Ends the run, and closes the database. */
  end(): string;
}

export interface ChangingRunOptions {
  readonly maxBytes?: number;
  readonly parts?: PartsChanges;
}

export function changingRun(person: Person, options: ChangingRunOptions = {}): ChangingRun {
  const stateDir = join(person.home, 'state');
  const db = openDatabase(join(stateDir, 'capstan.db'));
  const id = uuidv7();
  addRun(db, id, person.project);
  const facts = { ownDirs: [person.home], home: person.home, openPaths: [] };
  const isProtected = (path: string, access: 'read' | 'write') =>
    isProtectedPath(path, access, { ...facts, workspace: person.project });
  const approver: Approver = {
    ask: async () => ({ answer: 'approve', by: 'terminal' }),
  };
  const parts = brokerPartsOf(db, {
    tools: toolbox,
    surroundings: { isProtected },
    approver,
    ...options.parts,
  });
  const { journal, redactor } = parts;
  const maxBytes = options.maxBytes ?? 1024 * 1024;
  const changes = createChangeRecorder({ db, journal, redactor, stateDir, maxBytes, isProtected });
  const broker = createBroker({ ...parts, changes });
  const policy = policyWith({ approveMode: 'allow', gates: { execute: 'allow', write: 'allow' } });
  const grants = new Map([
    ['file_io', { paths: ['**'] }],
    ['terminal', { commands: ['**'] }],
    ['python_exec', {}],
  ]);
  const scope = runScopeOf({ id, workspace: person.project, policy }, grants).coordinator;
  const tool: ChangingRun['tool'] = async (name, args) =>
    (await broker.answer(
      { type: 'tool_call_intent', tool: name, args, reason: 'because' },
      scope,
    )) as ToolCallResult;
  return {
    id,
    tool,
    shell: (command) => tool('terminal', { command, access: 'write' }),
    write: (path, content) => tool('file_io', { operation: 'write', path, content }),
    cutOff: () => createChangeRows(db).setGap(id, uuidv7(), 'interrupted'),
    end() {
      journal.flush();
      db.prepare("UPDATE runs SET status = 'completed', ended_at = ? WHERE id = ?").run(
        new Date().toISOString(),
        id,
      );
      db.close();
      return id;
    },
  };
}

function addRun(db: Db, id: string, workspace: string): void {
  db.prepare(
    `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at, seed, policy, policy_version, wish)
     VALUES (?, 's', 'a task', ?, 'offline', 'none', '{}', 'running', ?, '2026-01-01', 'feed', '{}', 'v', '{}')`,
  ).run(id, workspace, ownIdentity());
}
