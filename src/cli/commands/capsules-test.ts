import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { redactorOfNames } from '../../app/wiring/known-secrets.ts';
import { processEnvironment } from '../../config/environment.ts';
import { escapeText } from '../../contract/text/escape-text.ts';

import type { Capsule } from '../../registry/capsule-store.ts';
import { findAuthored } from '../author/find-authored.ts';
import { noCase } from '../author/no-case.ts';
import {
  type Author,
  caseFolders,
  textOption,
  trialOptions,
  withAuthor,
} from '../author/open-author.ts';
import { counted } from '../author/show-difference.ts';
import { type TriedCase, tryCase } from '../author/try-case.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatCost, formatDuration } from '../format.ts';
import { printJson } from '../print-json.ts';
import { type CapsulesHere, jsonOption, withCapsules } from './capsules-ground.ts';

export const capsulesTest: CommandDefinition = {
  name: 'test',
  summary:
    'Run a capsule’s cases, with recorded model answers or none, each in a folder of its own',
  arguments: '<id>',
  options: [
    { flags: '--case <name>', description: 'only this one' },
    { flags: '--record', description: 'ask a real model (as --live) and keep its answers' },
    ...trialOptions('ask a real model, in place of recorded answers'),
    jsonOption,
  ],
  examples: [
    'capstan capsules test log-analyst',
    'capstan capsules test ./agents/mine --record --provider ollama',
  ],
  run: withCapsules(testCapsule),
};

async function testCapsule(here: CapsulesHere): Promise<number> {
  const capsule = await findAuthored(here);
  const { readCases } = await import('../../authoring/case-files.ts');
  const only = textOption(here.args.options['case']);
  const folders = caseFolders(here, capsule);
  const cases = await readCases(folders, only);
  if (cases.length === 0) throw await noCase(here, capsule, only);
  return withAuthor(here, `capsules test ${capsule.id}`, async (author) => {
    const tried: TriedCase[] = [];
    for (const found of cases) {
      const one = await tryCase(author, capsule, found);
      tried.push(one);
      if (here.args.options['json'] !== true) here.io.stdout(lineOf(one));
      if (here.args.options['record'] !== true) continue;
      const { keepRecord } = await import('../author/keep-record.ts');
      keepRecord(here, capsule, one);
    }
    const isOk = tried.every(({ problems }) => problems.length === 0);
    const restored = isOk && only === undefined && (await restore(here, capsule, tried));
    tell(here, capsule, { tried, restored, author });
    return isOk ? exitCodes.completed : exitCodes.failed;
  });
}

function lineOf({ found, kind, result, problems }: TriedCase): string {
  const { modelCalls, toolCalls, costMicroUsd, durationMs, reworded } = result;
  const facts = [
    `${kind.name} (${kind.mode})`,
    ...(modelCalls > 0 ? [counted(modelCalls, 'model call')] : []),
    counted(toolCalls, 'tool call'),
    ...(costMicroUsd > 0 ? [formatCost(costMicroUsd / 1e6)] : []),
    formatDuration(durationMs),
  ].join(', ');
  const lines = [
    `${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${found.name}  ${facts}`,
    ...problems.map((problem) => `      ${problem}`),
    ...(problems.length > 0 ? [`      in ${found.path}`] : []),
    ...(reworded > 0
      ? [
          `      ${counted(reworded, 'model answer')} recorded under another prompt; --record asks anew`,
        ]
      : []),
  ];
  return lines.map((line) => `${escapeText(line)}\n`).join('');
}

interface Told {
  readonly tried: readonly TriedCase[];
  readonly restored: boolean;
  readonly author: Author;
}

function tell({ args, io }: CapsulesHere, capsule: Capsule, { tried, restored }: Told): void {
  const failed = tried.filter(({ problems }) => problems.length > 0).length;
  if (args.options['json'] !== true) {
    io.stdout(`${counted(tried.length, 'case')} of ${capsule.id}, ${failed} failed\n`);
    if (restored) io.stdout(`"${capsule.id}" was quarantined, and is taken back.\n`);
    return;
  }
  const cases = tried.map(({ found, kind, result, problems }) => ({
    name: found.name,
    path: found.path,
    ok: problems.length === 0,
    problems,
    task_kind: kind.name,
    status: result.status,
    error: result.error,
    answer: result.answer,
    model_calls: result.modelCalls,
    tool_calls: result.toolCalls,
    cost_usd: result.costMicroUsd / 1e6,
    approvals: result.approvals,
    recorded: found.record !== undefined,
    reworded: result.reworded,
    duration_ms: result.durationMs,
  }));
  printJson(io, { capsule: capsule.id, ok: failed === 0, restored, cases });
}

/** A capsule that was quarantined by rule comes back when all of its cases pass as it is now. */
async function restore(
  { stateDir, capsules }: CapsulesHere,
  capsule: Capsule,
  tried: readonly TriedCase[],
): Promise<boolean> {
  const path = join(stateDir, 'capstan.db');
  const isInUse = capsules.some(({ dir }) => dir === capsule.dir);
  const isProven = tried.every(({ result }) => result.reworded === 0);
  if (!isInUse || !isProven || !existsSync(path)) return false;
  const { openDatabase } = await import('../../db/open-database.ts');
  const { createAudit } = await import('../../broker/audit/audit.ts');
  const { createQuarantine } = await import('../../registry/quarantine.ts');
  const db = openDatabase(path);
  try {
    const now = () => new Date();
    const redactor = redactorOfNames(processEnvironment());
    const audit = createAudit(db, now, redactor);
    const quarantine = createQuarantine(db, audit, now, redactor);
    return db.transaction(() => quarantine.restoreHealed(capsule)).immediate();
  } finally {
    db.close();
  }
}
