import * as z from 'zod';
import { failedWith } from '../contract/errors.ts';
import { grantsShell } from '../contract/permissions/grant.ts';
import { codeOf } from '../platform/try-or.ts';
import { failure, type ToolCall } from './define/call.ts';
import { givesByPrograms } from './define/gives.ts';
import { defineTool, pathArg, type ToolOutput, targetLine } from './define/tool.ts';
import { countLines, LF } from './file-io/line-slice.ts';
import { createSpool, type Spool } from './files/spool.ts';
import { writeFile, writtenOutput } from './files/write-file.ts';
import type { ProcessResult } from './process/run-process.ts';
import { ACCESS, cutProcess, describeProcess, processArgs, runInFolder } from './terminal.ts';

/** Longest output that is written to a file, in bytes. */
const MAX_SAVED_BYTES = 64 * 1024 * 1024;
const MAX_SHOWN_BYTES = 64 * 1024;
const FIRST_LINES = 5;

const PURPOSE =
  'Runs a Python 3 program in the workspace (isolated mode: standard library and system packages) and returns its output.';

const args = () =>
  z.strictObject({
    code: z
      .string()
      .min(1)
      .max(1_000_000)
      .describe('A Python 3 program; what it prints is the result.'),
    ...processArgs(),
    save_as: pathArg()
      .optional()
      .describe('Writes its output to this file, and returns the first five lines.'),
  });

export const pythonExec = defineTool({
  name: 'python_exec',
  effects: 'process',
  operations: ACCESS,
  gives(use) {
    const { commands } = use.grant;
    // Code is granted with the tool, unless commands are named and `**` is not among them.
    const runsCode = commands === undefined || grantsShell(use.grant);
    const writes = use.can('write') ? (['write'] as const) : [];
    const runs = grantsShell(use.grant) ? (['command'] as const) : [];
    return [
      ...(runsCode ? (['execute'] as const) : []),
      ...runs,
      ...writes,
      ...givesByPrograms(use),
    ];
  },
  forNewCapsules: {
    grant: { commands: ['**'], hosts: ['*'], paths: ['**'] },
    calledBy: ['python', 'script', 'plot', 'chart', 'calculat', 'csv\\b', 'statistic', 'json\\b'],
    chosenFor: ['execute', 'database_write'],
  },
  words: () => ({ does: 'run', done: 'run', verb: 'run', object: 'Python code' }),
  description: describeProcess(PURPOSE),
  args,
  cut: (granted) => cutProcess(PURPOSE, granted, granted.hasPaths ? [] : ['save_as']),
  operation: ({ code, access, network, save_as: saveAs }) => ({
    name: `python_exec.${access}`,
    tier: 2,
    repeatability: 'unsafe',
    paths: saveAs === undefined ? [] : [{ path: saveAs, access: 'write' }],
    command: { kind: 'python', code, access, cwd: '.' },
    network,
    target: targetLine(code),
  }),
  async perform({ code, save_as: saveAs, ...given }, context): Promise<ToolOutput> {
    const call: ToolCall = { tool: 'python_exec', context };
    using spool = saveAs === undefined ? undefined : createSpool(MAX_SAVED_BYTES);
    const program = { argv: ['python3', '-I', '-'], cwd: '.', stdin: code, spool } as const;
    const result = await runInFolder(program, given, call).catch((error: unknown) => {
      throw missingPython(error, call);
    });
    return spool && saveAs !== undefined ? await save(saveAs, spool, result, call) : { result };
  },
});

/** A program that failed, or printed too much, leaves the file as it is. */
async function save(saveAs: string, spool: Spool, result: ProcessResult, call: ToolCall) {
  const isTooLong = spool.bytes() > MAX_SAVED_BYTES;
  if (result.exit_code !== 0 || isTooLong) {
    const why = isTooLong ? 'the program printed more than 64 MiB' : 'the program failed';
    const hint = `${result.hint ?? ''} ${why}, so "${saveAs}" was not written.`.trim();
    return { result: { ...result, hint } };
  }
  const { stdout: _, ...facts } = result;
  const written = await writeFile(saveAs, spool, call);
  const { result: saved, wrote } = writtenOutput(written, call);
  const start = spool.start(maxShown(call)).toString('utf8');
  const shown = {
    lines: linesIn(spool),
    first_lines: start.split('\n', FIRST_LINES).join('\n'),
  };
  return { result: { ...saved, ...shown, ...facts }, wrote };
}

function linesIn(parts: Iterable<Buffer>): number {
  let count = 0;
  let last = LF;
  for (const part of parts) {
    count += countLines(part);
    last = part.at(-1) ?? last;
  }
  return last === LF ? count : count + 1;
}

const maxShown = ({ context }: ToolCall): number =>
  Math.min(MAX_SHOWN_BYTES, Math.floor(context.maxOutputBytes / 2));

function missingPython(error: unknown, call: ToolCall): unknown {
  if (!failedWith(error, 'TOOL_FAILED') || codeOf(error.cause) !== 'ENOENT') return error;
  const problem = 'Python 3 is not installed here: there is no python3 in the folders of PATH';
  return failure(call, problem, error);
}
