import { relative } from 'node:path';
import type { ForkFile, ForkPreview, RunRequest } from '../../../app/runs/history/fork-run.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { isolationFlags, standard } from '../../options/standard-options.ts';
import { resumeAtTerminal } from '../../run/open-at-terminal.ts';
import { formatTable } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, inCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'fork',
  summary: 'Start a new run from a request in the history of another one',
  arguments: '<run>',
  options: {
    '--at <request>': 'the last request to share: its number or id (default: list them)',
    ...standard.workspace,
    '--force': 'continue even if files there differ from the history',
    ...isolationFlags,
    ...standard.timeout,
    ...standard.json,
    ...standard.quiet,
  },
  examples: [
    'capstan runs fork 9c41d07e',
    'capstan runs fork 9c41d07e --at 7 --workspace ../copy',
    'capstan runs fork 9c41d07e --at 7 --workspace . --force --json',
  ],
  async run(args, io) {
    const id = await inCapstan(args, io, fork);
    return id === undefined ? exitCodes.usage : resumeAtTerminal(id, args, io);
  },
};

/** Creates the new run, parked. Undefined if the requests were only listed. */
async function fork({ capstan, io, named, isJson, has, text }: CommandContext) {
  const at = text('at');
  if (at === undefined) {
    io.stdout(requestsText(await capstan.runs.requests(named)));
    io.stderr('Name the last request to share: --at <request>\n');
    return undefined;
  }
  const workspace = text('workspace');
  if (workspace === undefined)
    throw usage('Name the folder of the new run: --workspace <dir>. Its files are not rewound.');
  const request = { run: named, at, workspace, force: has('force') };
  const preview = await capstan.runs.previewFork(request);
  const different = preview.files.filter((file) => !file.isAsExpected).length;
  const print = has('quiet') && different === 0 ? () => {} : io.stderr;
  print(previewText(preview));
  const canAsk = different > 0 && io.isTerminal && !isJson;
  const question = `Continue although ${different} of these files differ?`;
  const force = request.force || (canAsk && (await confirm(question, io)));
  const { id } = await capstan.runs.fork({ ...request, force });
  const origin = `request ${preview.at} of run ${shortId(preview.runId)}`;
  print(`run ${shortId(id)} continues from ${origin}\n`);
  return id;
}

function requestsText(requests: readonly RunRequest[]): string {
  const rows = requests.map(({ number, subtaskId, name, target, status }) => [
    String(number),
    subtaskId || '-',
    name,
    escapeText(target),
    status,
  ]);
  return formatTable([['at', 'subtask', 'request', 'target', 'status'], ...rows]);
}

/** The expected workspace of a fork, and whether it matches. */
function previewText({ files, others, workspace }: ForkPreview): string {
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
