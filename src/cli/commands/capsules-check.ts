import { resolve } from 'node:path';
import type { FoundCase } from '../../authoring/case-files.ts';
import type { DryRun } from '../../authoring/dry-run.ts';
import { sentencesOf } from '../../config/given.ts';
import { failedWith, messageOf } from '../../contract/errors.ts';
import { didYouMean } from '../../contract/text/closest.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Finding } from '../../registry/finding.ts';
import { findAuthored } from '../author/find-authored.ts';
import { caseFolders, withAuthor } from '../author/open-author.ts';
import { counted } from '../author/show-difference.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatDuration } from '../format.ts';
import { isBadInput } from '../is-bad-input.ts';
import { isolationFlags } from '../isolation-flags.ts';
import { printJson } from '../print-json.ts';
import { type CapsulesHere, jsonOption, projectOptions, withCapsules } from './capsules-ground.ts';

export const capsulesCheck: CommandDefinition = {
  name: 'check',
  summary:
    'Check a capsule of any language: manifest, overlay, protocol, and a dry run of each task kind',
  arguments: '<dir>',
  options: [
    { flags: '--strict', description: 'let warnings fail it, too' },
    ...isolationFlags,
    ...projectOptions,
    jsonOption,
  ],
  examples: [
    'capstan capsules check ./agents/mine',
    'capstan capsules check examples/python-capsule --json',
  ],
  run: withCapsules(check),
};

interface Checked {
  readonly id: string;
  readonly findings: readonly Finding[];
  readonly runs: readonly DryRun[];
}

/** Where the folder can't be read as a capsule, that is the finding; nothing more can be looked at then. */
async function check(here: CapsulesHere): Promise<number> {
  let capsule: Capsule;
  try {
    capsule = await findAuthored(here);
  } catch (error) {
    if (isBadInput(error)) throw error;
    const [id = ''] = here.args.positionals;
    return tell(here, { id, runs: [], findings: unreadable(here, error) });
  }
  const { lintCapsule } = await import('../../registry/overlay/lint-overlay.ts');
  const { toolbox } = await import('../../tools/toolbox.ts');
  const { checkConformance } = await import('../../authoring/check-capsule.ts');
  return withAuthor(here, `capsules check ${capsule.id}`, async ({ trials, skills, signal }) => {
    const known = { skills: skills.list(), tools: [...toolbox.keys()] };
    const ofText = lintCapsule({ capsule, ...known });
    const ofCases = await checkCases(here, capsule, known.tools);
    const { runs, findings } = await checkConformance(capsule, { ...trials, signal });
    return tell(here, { id: capsule.id, runs, findings: [...ofText, ...ofCases, ...findings] });
  });
}

function tell({ args, io }: CapsulesHere, found: Checked): number {
  const { json, strict } = args.options;
  const checked = { ...found, findings: found.findings.toSorted(byPlace) };
  const isOk = !checked.findings.some(({ severity }) => strict === true || severity === 'error');
  if (json === true) printJson(io, documentOf(checked, isOk));
  else io.stdout(asText(checked, isOk, io.cwd));
  return isOk ? exitCodes.completed : exitCodes.failed;
}

/** By file, then by line. */
function byPlace({ where: one }: Finding, { where: other }: Finding): number {
  const [[file, line], [otherFile, otherLine]] = [placeOf(one), placeOf(other)];
  if (file !== otherFile) return file < otherFile ? -1 : 1;
  return line - otherLine;
}

function placeOf(where: string): readonly [string, number] {
  const [, file = where, line = '0'] = /^(.*):(\d+)$/.exec(where) ?? [];
  return [file, Number(line)];
}

/** Whether its cases can be read; `capsules test` runs them. */
async function checkCases(
  here: CapsulesHere,
  capsule: Capsule,
  tools: readonly string[],
): Promise<Finding[]> {
  const { readCases } = await import('../../authoring/case-files.ts');
  try {
    const cases = await readCases(caseFolders(here, capsule));
    return cases.flatMap((found) => unknownTools(found, tools));
  } catch (error) {
    if (!failedWith(error, 'CASE_INVALID')) throw error;
    return error.details.found.map((one) => ({ rule: 'case.schema', severity: 'error', ...one }));
  }
}

/** A call that must not be made passes for ever where its tool is misspelled. */
function unknownTools({ path, wanted }: FoundCase, tools: readonly string[]): Finding[] {
  const { tool_calls = [], no_tool_calls = [] } = wanted.expect;
  const named = new Set([...tool_calls, ...no_tool_calls].map(({ tool }) => tool));
  return [...named]
    .filter((tool) => !tools.includes(tool))
    .map((tool) => ({
      rule: 'case.tool',
      severity: 'warning',
      where: path,
      problem: `expect: there is no tool "${tool}"`,
      fix: didYouMean(tool, tools),
    }));
}

function unreadable({ args, io }: CapsulesHere, error: unknown): Finding[] {
  if (failedWith(error, 'MANIFEST_INVALID'))
    return error.details.found.map((one) => ({
      rule: 'manifest.schema',
      severity: 'error',
      ...one,
    }));
  const isOverlay = failedWith(error, 'OVERLAY_INVALID');
  const where = isOverlay ? error.details.path : resolve(io.cwd, args.positionals[0] ?? '');
  const said = sentencesOf(isOverlay ? error.details.problem : messageOf(error));
  return [
    { rule: isOverlay ? 'overlay.file' : 'capsule.folder', severity: 'error', where, ...said },
  ];
}

function asText({ id, findings, runs }: Checked, isOk: boolean, cwd: string): string {
  const tried = runs.map(({ kind, script, response, durationMs }) => {
    const { code } = (response?.result ?? {}) as { code?: unknown };
    const why = response?.status === 'error' && typeof code === 'string' ? ` (${code})` : '';
    const end = response ? `${response.status}${why}` : 'no final';
    const isBroken = !response || code === 'CAPSULE_CRASHED' || code === 'TASK_KIND_UNKNOWN';
    return `${isBroken ? 'FAIL' : 'ok  '}  ${kind.name} (${kind.mode}), every request ${script === 'agrees' ? 'answered' : 'refused'}: ${end}, ${formatDuration(durationMs)}`;
  });
  const told = findings.flatMap(({ rule, severity, where, problem, fix }) => [
    `${severity === 'error' ? 'FAIL' : 'warn'}  ${where.startsWith(`${cwd}/`) ? where.slice(cwd.length + 1) : where}`,
    ...`${problem} [${rule}]`.split('\n').map((line) => `      ${line}`),
    `      ${fix}`,
  ]);
  const count = (wanted: Finding['severity']) =>
    findings.filter(({ severity }) => severity === wanted).length;
  const sum = `${id}: ${isOk ? 'fit' : 'not fit'} · ${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}`;
  return [...tried, ...told, sum].map((line) => `${escapeText(line)}\n`).join('');
}

const documentOf = ({ id, findings, runs }: Checked, isOk: boolean) => ({
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
