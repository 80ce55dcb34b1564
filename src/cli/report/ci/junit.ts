import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortId } from '../../text/short-id.ts';
import type { ClosedRun } from '../closing-lines.ts';
import type { StepFigures } from './step-summary.ts';

type Subtask = ClosedRun['subtasks'][number];

/**
 * A run as a JUnit report, written at this ISO 8601 time: one case per subtask. A run that has not completed although no
 * subtask failed (parked, denied, not started) has one more case, `run`, which says why.
 */
export function junitReport(document: ClosedRun, figures: StepFigures, at: string): string {
  const { subtasks, run_id, duration_ms } = document;
  const failed = subtasks.filter(({ status }) => status === 'failed').length;
  const skipped = subtasks.filter(({ status }) => status !== 'failed' && status !== 'completed');
  const hasRunCase = document.status !== 'completed' && failed === 0;
  const errors = hasRunCase ? 1 : 0;
  const counts = `tests="${subtasks.length + errors}" failures="${failed}" errors="${errors}" skipped="${skipped.length}" time="${secondsOf(duration_ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="capstan" ${counts}>`,
    `  <testsuite name="run ${attribute(shortId(run_id ?? 'none'))}" ${counts} timestamp="${at}">`,
    ...subtasks.map((one) => caseOf(one, figures.of(one.id).durationMs)),
    ...(hasRunCase ? [runCase(document)] : []),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf({ id, description, capsule_id, status, reason, error }: Subtask, ms: number) {
  const name = `${id}: ${description.split('\n')[0]}`;
  const message = error?.message ?? reason ?? status;
  const failure = element('failure', reason ?? 'failed', message);
  const why = message === status ? status : `${status}: ${message}`;
  const skipped = `<skipped message="${attribute(why)}"/>`;
  const inner = status === 'failed' ? failure : skipped;
  return testCase(name, capsule_id ?? 'capstan', ms, status === 'completed' ? '' : inner);
}

function runCase({ status, reason, error, approvals, duration_ms }: ClosedRun): string {
  const questions = approvals.filter((one) => one.status === 'pending').map((one) => one.question);
  const message = error?.message ?? [`The run is ${status} (${reason}).`, ...questions].join('\n');
  return testCase('run', 'capstan', duration_ms, element('error', reason ?? status, message));
}

function testCase(name: string, capsule: string, ms: number, inner: string): string {
  const open = `    <testcase name="${attribute(name)}" classname="${attribute(capsule)}" time="${secondsOf(ms)}"`;
  return inner === '' ? `${open}/>` : `${open}>\n      ${inner}\n    </testcase>`;
}

const element = (name: string, type: string, message: string): string =>
  `<${name} type="${attribute(type)}" message="${attribute(message.split('\n')[0] ?? '')}">${escapeXml(message)}</${name}>`;

const secondsOf = (ms: number): string => (ms / 1_000).toFixed(3);

const attribute = (text: string): string =>
  escapeXml(text.slice(0, 1_000))
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');

/** Characters that XML does not allow are written as their escapes. */
const escapeXml = (text: string): string =>
  escapeText(text.toWellFormed(), true)
    .replace(/[^\t\n\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
