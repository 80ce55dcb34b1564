import type { CheckedCapsule } from '../../../app/capsules/trials/check-capsule.ts';
import { messageOf } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { isolationFlags, projectOptions, standard } from '../../options/standard-options.ts';
import { withTrial } from '../../options/trial-options.ts';
import { counted, formatDuration } from '../../text/format.ts';

export const capsulesCheck: CommandDefinition = {
  name: 'check',
  summary: 'Check manifest, overlay, protocol and task kinds',
  arguments: '<dir>',
  options: {
    '--strict': 'also fail on warnings',
    ...isolationFlags,
    ...projectOptions,
    ...standard.json,
  },
  examples: [
    'capstan capsules check ./agents/mine',
    'capstan capsules check examples/python-capsule --json',
  ],
  run: withTrial(async (context, options) => {
    const { capstan, io, named, has } = context;
    const checked = await capstan.capsules.check(named, { ...options, strict: has('strict') });
    return { json: documentOf(checked), text: checkedText(checked, io.cwd), isOk: checked.isOk };
  }),
};

/** The findings of a check. All text is escaped. */
export function checkedText({ id, isOk, findings, runs }: CheckedCapsule, cwd: string): string {
  const shown = findings.flatMap(({ rule, severity, where, problem, fix }) => [
    `${severity === 'error' ? 'FAIL' : 'warn'}  ${where.startsWith(`${cwd}/`) ? where.slice(cwd.length + 1) : where}`,
    ...`${problem} [${rule}]\n${fix}`.split('\n').map((line) => `      ${line}`),
  ]);
  const count = (wanted: 'error' | 'warning') =>
    findings.filter(({ severity }) => severity === wanted).length;
  const sum = `${id}: ${isOk ? 'ok' : 'failed'} · ${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}`;
  return [...runs.map(runLine), ...shown, sum].map((line) => `${escapeText(line)}\n`).join('');
}

const scriptWords = {
  agrees: 'every request answered',
  refuses: 'every request refused',
  off_topic: 'a task of another kind',
} as const;

function runLine(run: CheckedCapsule['runs'][number]): string {
  const { kind, script, response, problem, durationMs } = run;
  const { code } = (response?.result ?? {}) as { code?: unknown };
  const why = response?.status === 'error' && typeof code === 'string' ? ` (${code})` : '';
  const end = response ? `${response.status}${why}` : problem || 'no answer';
  const isBroken = !response || code === 'CAPSULE_CRASHED' || code === 'TASK_KIND_UNKNOWN';
  return `${isBroken ? 'FAIL' : 'ok  '}  ${kind.name} (${kind.mode}), ${scriptWords[script]}: ${end}, ${formatDuration(durationMs)}`;
}

const documentOf = ({ id, isOk, findings, runs }: CheckedCapsule) => ({
  capsule: id,
  ok: isOk,
  findings,
  runs: runs.map(({ kind, script, response, error, intents, noise, durationMs }) => ({
    task_kind: kind.name,
    mode: kind.mode,
    script,
    status: response?.status ?? null,
    error: error === undefined ? null : messageOf(error),
    requests: intents.length,
    noise: noise.length,
    duration_ms: durationMs,
  })),
});
