import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf } from '../../src/contract/errors.ts';
import type { EarlierResult } from '../../src/contract/wire/coordinator-messages.ts';
import { codeOf } from '../../src/platform/try-or.ts';
import { type HandlerContext, ToolError } from '../../src/runtime/capsule/sdk.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import type { ToolContext } from '../../src/tools/define/tool.ts';
import { toolbox } from '../../src/tools/toolbox.ts';
import { isQueryOfFiles, type Query, queryHere } from './query-here.ts';

export interface Bench {
  /** Absolute; every tool works in it. */
  readonly workspace: string;
  readonly calls: { tool: string; args: Record<string, unknown> }[];
  readonly artifacts: string[];
  /** The context of one task. */
  context(task: string, results?: readonly EarlierResult[]): HandlerContext;
  remove(): void;
}

/** A handler context with the real tools in its own folder, without any decisions. */
export async function openBench(
  files: Readonly<Record<string, string>> = {},
  privateOrigins: readonly string[] = [],
): Promise<Bench> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'handlers-')));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), content);
  }
  const calls: Bench['calls'] = [];
  const artifacts: string[] = [];
  const call = async (tool: string, args: Record<string, unknown>) => {
    calls.push({ tool, args });
    try {
      const found = toolbox.get(tool);
      if (found === undefined) throw new Error(`no tool ${tool}`);
      const prepared = found.prepare(args);
      const context: ToolContext = {
        workspace,
        timeoutMs: 20_000,
        maxOutputBytes: 4 * 1024 * 1024 - 64 * 1024,
        signal: new AbortController().signal,
        attempt: calls,
        isProtected: () => false,
        privateOrigins: new Set(privateOrigins),
        sandbox: bare,
      };
      if (isQueryOfFiles(tool, args)) return await queryHere(args as unknown as Query, context);
      return (await prepared.perform(context)).result;
    } catch (error) {
      throw new ToolError(codeOf(error) ?? 'TOOL_FAILED', messageOf(error));
    }
  };
  return {
    workspace,
    calls,
    artifacts,
    context: (task, results = []) => ({
      request: {} as HandlerContext['request'],
      task,
      input: {},
      results,
      memory: [],
      call,
      chat: () => Promise.reject(new Error('there is no model')),
      progress: () => undefined,
      remember: () => undefined,
      artifact: (path) => void artifacts.push(path),
    }),
    remove: () => rmSync(workspace, { recursive: true, force: true }),
  };
}
