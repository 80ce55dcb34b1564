import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAudit } from '../../src/broker/audit/audit.ts';
import { createApprovalStore } from '../../src/broker/questions/approval-store.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { openRealBroker } from '../measure/real-broker.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

/** How long a waiting process takes to notice an answer that another connection wrote. */
export async function measureAnswerLatency({ smoke }: BenchOptions): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const { db, parts } = await openRealBroker(dir, []);
  const other = openDatabase(join(dir, 'capstan.db'));
  const elsewhere = createApprovalStore(
    other,
    createAudit(other, () => new Date(), noSecrets),
    () => new Date(),
    noSecrets,
  );
  const each: number[] = [];
  try {
    for (let at = 0; at < (smoke ? 10 : 100); at++) {
      const question = parts.approvals.draft({ ...blank, binding: `b${at}` });
      parts.journal.commit(() => parts.approvals.insert(question));
      const answered = parts.desk.wait(question.id, new AbortController().signal);
      await sleep(5 + ((at * 7) % 40));
      const began = performance.now();
      elsewhere.decide(question.id, { answer: 'approve', by: 'cli', binding: question.binding });
      await answered;
      each.push(performance.now() - began);
    }
  } finally {
    parts.desk.close();
    other.close();
    db.close();
    rmSync(dir, { recursive: true });
  }
  each.sort((left, right) => left - right);
  const p95 = each[Math.floor(each.length * 0.95)] ?? Number.NaN;
  const p50 = each[each.length >> 1] ?? Number.NaN;
  return [
    {
      what: 'an answer given elsewhere is known to the process that waits (p95)',
      goal: 50,
      gate: 100,
      value: p95,
      unit: 'ms',
      detail: `p50 ${p50.toFixed(0)} ms`,
    },
  ];
}

const blank = {
  runId: 'run-1',
  intentId: null,
  subtaskId: 's1',
  capsuleId: 'clerk',
  kind: 'tool',
  question: '?',
  why: '',
  details: '',
  capsuleReason: '',
  operation: 'terminal.write',
  target: '',
  tier: 2,
  costMicroUsd: 0,
  requestHash: 'h',
  workspace: '/w',
  capsuleHash: 'c',
  policyVersion: 'p',
  isForced: false,
  choices: ['approve', 'deny'],
  expiresAt: null,
} as const;
