import type { TestedCapsule, TestedCase } from '../../../app/capsules/test-capsule.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition, CommandIo } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { trialOptions, withTrial } from '../../options/trial-options.ts';
import { counted, formatCost, formatDuration } from '../../text/format.ts';
import { trialDocument } from './trial-text.ts';

export const capsulesTest: CommandDefinition = {
  name: 'test',
  summary: 'Run the cases of a capsule with recorded answers',
  arguments: '<capsule>',
  options: {
    '--case <name>': 'run only this case',
    '--strict': 'fail if an answer was recorded under another prompt',
    '--record': 'ask a real model (like --live) and record its answers if the case passes',
    ...trialOptions('ask a real model instead of replaying recorded answers'),
    ...standard.json,
  },
  examples: [
    'capstan capsules test log-analyst',
    'capstan capsules test ./agents/mine --record --provider ollama',
  ],
  run: withTrial(async (context, options) => {
    const { capstan, io, named, isJson, has, text } = context;
    const tested = await capstan.capsules.test(named, {
      ...options,
      case: text('case'),
      record: has('record'),
      strict: has('strict'),
      onCase: (one) => {
        if (!isJson) io.stdout(lineOf(one));
        printKept(io, one);
      },
    });
    return { json: documentOf(tested), text: sumOf(tested), isOk: tested.isOk };
  }),
};

function lineOf({ name, path, kind, result, problems }: TestedCase): string {
  const { modelCalls, toolCalls, costMicroUsd, durationMs, reworded, unknown } = result;
  const facts = [
    `${kind.name} (${kind.mode})`,
    ...(modelCalls > 0 ? [counted(modelCalls, 'model call')] : []),
    counted(toolCalls, 'tool call'),
    ...(costMicroUsd > 0 ? [formatCost(costMicroUsd / 1e6)] : []),
    formatDuration(durationMs),
  ].join(', ');
  const isOk = problems.length === 0;
  const old = `${counted(reworded, 'model answer')} recorded under another prompt; --record asks the model again`;
  const below = [
    ...problems,
    ...(isOk ? [] : [`in ${path}`]),
    ...(unknown > 0 ? [RECORD_OR_LIVE] : []),
    ...(reworded > 0 ? [old] : []),
  ].map((line) => `      ${line}`);
  const lines = [`${isOk ? 'ok  ' : 'FAIL'}  ${name}  ${facts}`, ...below];
  return lines.map((line) => `${escapeText(line)}\n`).join('');
}

const RECORD_OR_LIVE = '--record asks a real model and records its answers; --live only asks it';

function printKept(io: CommandIo, { name, kept }: TestedCase): void {
  if (kept === undefined || kept === 'nothing') return;
  if (typeof kept === 'object') io.stderr(`recorded ${kept.path}\n`);
  else io.stderr(`not recorded, because ${NOT_KEPT[kept]} failed: ${escapeText(name)}\n`);
}

const NOT_KEPT = { unanswered: 'a model call', failed: 'the case' };

function sumOf({ id, cases, isRestored }: TestedCapsule): string {
  const failed = cases.filter(({ problems }) => problems.length > 0).length;
  const sum = `${counted(cases.length, 'case')} of ${id}, ${failed} failed\n`;
  return isRestored ? `${sum}"${id}" was restored from quarantine.\n` : sum;
}

const documentOf = ({ id, isOk, isRestored, cases }: TestedCapsule) => ({
  capsule: id,
  ok: isOk,
  restored: isRestored,
  cases: cases.map(({ name, path, kind, result, problems, isRecorded }) => ({
    name,
    path,
    ok: problems.length === 0,
    problems,
    task_kind: kind.name,
    ...trialDocument(result),
    recorded: isRecorded,
    duration_ms: result.durationMs,
  })),
});
