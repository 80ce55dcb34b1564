import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import type { Tool, ToolContext, ToolOutput } from '../../src/tools/define/tool.ts';

/** A workspace in a temporary folder, with a neighbour that no tool may reach. */
export interface Scratch extends Disposable {
  readonly workspace: string;
  readonly outside: string;
  put(path: string, content: string | Buffer): string;
  context(changes?: Partial<ToolContext>): ToolContext;
  call(tool: Tool, args: unknown, changes?: Partial<ToolContext>): Promise<ToolOutput>;
  /** Only the result. */
  ask<T = Record<string, unknown>>(
    tool: Tool,
    args: unknown,
    changes?: Partial<ToolContext>,
  ): Promise<T>;
}

export function createScratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-tools-')));
  const workspace = join(root, 'workspace');
  const outside = join(root, 'outside');
  mkdirSync(workspace);
  mkdirSync(outside);
  const ownFolder = join(root, 'own');
  mkdirSync(ownFolder);
  const context: Scratch['context'] = (changes) => ({
    workspace,
    timeoutMs: 20_000,
    maxOutputBytes: 1024 * 1024,
    signal: new AbortController().signal,
    isProtected: () => false,
    privateOrigins: new Set(),
    sandbox: bare,
    ownFolder,
    ...changes,
  });
  const call: Scratch['call'] = async (tool, args, changes) =>
    tool.prepare(args).perform(context(changes));
  return {
    workspace,
    outside,
    context,
    call,
    ask: async <T>(tool: Tool, args: unknown, changes?: Partial<ToolContext>) =>
      (await call(tool, args, changes)).result as T,
    put(path, content) {
      const file = join(workspace, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
