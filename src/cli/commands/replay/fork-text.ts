import { relative } from 'node:path';
import type { ForkFile, ForkPreview, RunRequest } from '../../../app/runs/history/fork-run.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { formatTable } from '../../format.ts';

/** The requests of a run as a table. */
export function requestsText(requests: readonly RunRequest[]): string {
  const rows = requests.map(({ number, subtaskId, name, target, status }) => [
    String(number),
    subtaskId || '-',
    name,
    escapeText(target),
    status,
  ]);
  return formatTable([['at', 'subtask', 'request', 'target', 'status'], ...rows]);
}

/** What the workspace of a fork should contain, and whether it does. */
export function previewText({ files, others, workspace }: ForkPreview): string {
  if (files.length + others.length === 0) return 'The shared history changed nothing.\n';
  const rows = [
    ...files.map((file) => [verdictOf(file), relative(workspace, file.path), expectedText(file)]),
    ...others.map(({ name, target }) => ["can't be checked", `${name} ${target}`, '']),
  ].map((row) => row.map((cell) => escapeText(cell)));
  return `Files are not rewound. After the shared history, ${workspace} should contain:\n${formatTable(rows)}`;
}

function verdictOf({ expected, found }: ForkFile): string {
  if (expected === null) return "can't be checked";
  if (expected === found) return 'as expected';
  return found === 'absent' ? 'missing' : 'differs';
}

function expectedText({ expected }: ForkFile): string {
  if (expected === null) return '';
  return expected === 'absent' ? 'no file' : `sha256 ${expected}`;
}
