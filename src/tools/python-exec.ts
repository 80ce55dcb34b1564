import * as z from 'zod';
import { failedWith } from '../contract/errors.ts';
import { codeOf, failure, type ToolCall } from './call.ts';
import { inFolder, openPassage } from './paths.ts';
import { PRIVATE_PLACES } from './private-places/private-places.ts';
import { runProcess } from './run-process.ts';
import { processArgs, timeoutFor } from './terminal.ts';
import { defineTool } from './tool.ts';

const args = () =>
  z.strictObject({
    code: z
      .string()
      .min(1)
      .max(1_000_000)
      .describe('A Python 3 program; what it prints is the result.'),
    ...processArgs(),
  });

export const pythonExec = defineTool({
  name: 'python_exec',
  description: `Runs a Python 3 program in the workspace (isolated mode: standard library and what is installed for the system) and gives its output. It has no network, except to the hosts in \`network\`. ${PRIVATE_PLACES}`,
  args,
  operation: ({ code, access, network }) => ({
    name: `python_exec.${access}`,
    tier: 2,
    repeatability: 'unsafe',
    paths: [],
    command: { kind: 'python', code, access, cwd: '.' },
    network,
    target: firstLine(code),
  }),
  async perform({ code, access, network, timeout_sec: timeoutSec }, context) {
    const call: ToolCall = { tool: 'python_exec', context };
    using folder = await openPassage('.', call);
    const request = {
      argv: ['python3', '-I', '-'] as [string, ...string[]],
      cwd: inFolder(folder, '.'),
      folder: folder.path,
      access,
      network,
      stdin: code,
      timeoutMs: timeoutFor(timeoutSec, call),
    };
    return {
      result: await runProcess(request, call).catch((error: unknown) => {
        throw missingPython(error, call);
      }),
    };
  },
});

function missingPython(error: unknown, call: ToolCall): unknown {
  if (!failedWith(error, 'TOOL_FAILED') || codeOf(error.cause) !== 'ENOENT') return error;
  const problem = 'Python 3 is not installed here: there is no python3 in the folders of PATH';
  return failure(call, problem, error);
}

const firstLine = (code: string): string => {
  const line = code.trimStart().split('\n', 1)[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};
