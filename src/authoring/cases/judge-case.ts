import { isDeepStrictEqual } from 'node:util';
import { printable } from '../../contract/text/printable.ts';
import { valueAt } from '../../platform/text/parse-json.ts';
import type { TrialResult, TrialStep } from '../trials/trial.ts';
import type { Expected, ExpectedText } from './capsule-case.ts';

type ExpectedFile = NonNullable<Expected['files']>[string];
type ExpectedJson = NonNullable<Expected['json']>[number];
type ExpectedCall = NonNullable<Expected['tool_calls']>[number];

/** The differences from the expectations of a case, one sentence each; empty if it passed. */
export function judgeCase(expected: Expected, result: TrialResult): string[] {
  const ofStatus = judgeStatus(expected, result);
  return [
    ...ofStatus,
    // The status already shows the message of a failure.
    ...(ofStatus.length > 0 ? [] : judgeAnswer(expected, result)),
    ...Object.entries(expected.files ?? {}).flatMap(([path, file]) =>
      judgeFile(path, file, result.files.get(path)),
    ),
    ...(expected.tool_calls ?? []).flatMap((call) => judgeCall(call, result.steps)),
    ...(expected.no_tool_calls ?? [])
      .filter((call) => result.steps.some((step) => isCall(step, call)))
      .map((call) => `it called ${shownCall(call)}, which it must not`),
    ...judgeLimits(expected, result),
  ];
}

const judgeAnswer = ({ text, json = [] }: Expected, { answer, result }: TrialResult): string[] => [
  ...(text === undefined ? [] : judgeText('the answer', text, answer)),
  ...judgeJson('the answer', json, result),
];

function judgeStatus({ status, error }: Expected, result: TrialResult): string[] {
  const wanted = error === undefined ? status : 'failed';
  const code = result.error?.code;
  const ended = result.error
    ? `${result.status} (${code}: ${shown(result.answer)})`
    : result.status;
  if (result.status !== wanted) return [`it ${ended}; it should be ${wanted}`];
  if (error !== undefined && code !== error) return [`it failed with ${code}, not with ${error}`];
  return [];
}

type TextObject = Exclude<ExpectedText, string | string[]>;

function judgeText(what: string, expected: ExpectedText, text: string): string[] {
  const isShort = typeof expected === 'string' || Array.isArray(expected);
  const wanted: TextObject = isShort ? { contains: expected } : expected;
  const { equals, contains = [], excludes = [] } = wanted;
  const missing = [contains].flat().filter((part) => !text.includes(part));
  const found = [excludes].flat().filter((part) => text.includes(part));
  return [
    ...(equals !== undefined && equals.trim() !== text.trim()
      ? [`${what} is ${shown(text)}, not ${shown(equals)}`]
      : []),
    ...missing.map((part) => `${what} lacks ${shown(part)}; it is ${shown(text)}`),
    ...found.map((part) => `${what} has ${shown(part)}, which it must not`),
  ];
}

function judgeJson(what: string, expected: readonly ExpectedJson[], value: unknown): string[] {
  return expected.flatMap(({ path, equals }) => {
    const found = valueAt(value, keysOf(path));
    if (isDeepStrictEqual(found, equals)) return [];
    const is = found === undefined ? 'nothing' : JSON.stringify(found);
    return [`${what} has ${shown(is)} at ${path}, not ${shown(JSON.stringify(equals ?? null))}`];
  });
}

/** @param path `data.rows[0].count`; `$` is the whole. */
export const keysOf = (path: string): string[] =>
  path.replace(/^\$\.?/, '').match(/[^.[\]]+/g) ?? [];

function judgeFile(path: string, expected: ExpectedFile, content: Buffer | undefined): string[] {
  if (expected.absent) return content ? [`${path} is there, and must not be`] : [];
  if (!content) return [`there is no file ${path}`];
  const text = content.toString('utf8');
  const problems = expected.text === undefined ? [] : judgeText(path, expected.text, text);
  if (!expected.json) return problems;
  try {
    return [...problems, ...judgeJson(path, expected.json, JSON.parse(text))];
  } catch {
    return [...problems, `${path} is not JSON`];
  }
}

function judgeCall(expected: ExpectedCall, steps: readonly TrialStep[]): string[] {
  const { times } = expected;
  const found = steps.filter((step) => isCall(step, expected)).length;
  if (times === undefined ? found > 0 : found === times) return [];
  const made = steps.flatMap(({ tool, name }) => (tool === null ? [] : [name])).join(', ');
  const often = times === undefined ? '' : ` ${times} times, but ${found}`;
  return [`it did not call ${shownCall(expected)}${often}; it called ${made || 'nothing'}`];
}

function isCall(step: TrialStep, { tool, operation, args = {} }: ExpectedCall): boolean {
  if (step.tool !== tool) return false;
  const given = (step.args ?? {}) as Readonly<Record<string, unknown>>;
  if (operation !== undefined && step.name !== `${tool}.${operation}`)
    if (given['operation'] !== operation) return false;
  return Object.entries(args).every(([name, value]) =>
    isDeepStrictEqual(Object.hasOwn(given, name) ? given[name] : undefined, value),
  );
}

const shownCall = ({ tool, operation, args }: ExpectedCall): string =>
  `${tool}${operation === undefined ? '' : `.${operation}`}${args ? ` with ${shown(JSON.stringify(args))}` : ''}`;

function judgeLimits(expected: Expected, result: TrialResult): string[] {
  const { max_cost_usd: usd, max_steps: steps, max_tool_calls: calls } = expected;
  const { modelCalls, toolCalls } = result;
  const cost = result.costMicroUsd / 1e6;
  const found: string[] = [];
  if (usd !== undefined && cost > usd) found.push(`it cost $${cost}, more than $${usd}`);
  if (steps !== undefined && modelCalls > steps)
    found.push(`it took ${modelCalls} model calls, more than ${steps}`);
  if (calls !== undefined && toolCalls > calls)
    found.push(`it made ${toolCalls} tool calls, more than ${calls}`);
  return found;
}

const shown = (text: string): string =>
  `"${printable(text, 200).replaceAll('\\u000a', '\\n').replaceAll('\\u0009', '\\t')}"`;
