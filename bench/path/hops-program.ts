import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Debugger, type Runtime, Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lean } from '../../scripts/build.ts';

const root = join(import.meta.dirname, '../..');
/** In `dist/`, because the program finds its own folders from there. */
const outfile = join(root, 'dist/.hops.cjs');
const FIRST_NODE = 'src/coordinator/nodes/ingest-task.ts';
const flags = ['--provider', 'offline', '--dangerously-no-isolation', '--quiet'];

interface Main {
  main(argv: readonly string[]): Promise<number>;
}

type Stack = Runtime.StackTrace;

/** The bundle is CommonJS with readable names: the debugger loses the callers of an `import()` of a module. */
async function buildProgram(): Promise<void> {
  const entryPoints = [join(root, 'src/cli/main.ts')];
  await build({ ...lean, minify: false, write: true, entryPoints, outfile });
}

/** Runs one task. Returns the lines of the bundle on the stack at the first node, innermost first. */
async function linesOnStack(session: Session): Promise<{ lines: string[]; onStack: number[] }> {
  const parsed: Debugger.ScriptParsedEventDataType[] = [];
  session.on('Debugger.scriptParsed', ({ params }) => parsed.push(params));
  const stacks: Stack[] = [];
  session.on('Runtime.consoleAPICalled', ({ params: { stackTrace } }) => {
    if (stackTrace) stacks.push(stackTrace);
  });
  await session.post('Runtime.enable');
  await session.post('Debugger.enable');
  await session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 64 });
  const { main }: Main = createRequire(import.meta.url)(outfile);
  const { scriptId = '' } = parsed.find(({ url }) => url.endsWith(outfile)) ?? {};
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
  const lines = scriptSource.split('\n');
  const start = lines.indexOf(`// ${FIRST_NODE}`);
  const lineNumber = lines.findIndex((line, at) => at > start && line.includes('await '));
  // The condition is evaluated when the line is reached. It is false, so nothing stops.
  await session.post('Debugger.setBreakpoint', {
    location: { scriptId, lineNumber },
    condition: 'console.debug("the first node")',
  });
  await main(['run', ...flags, 'Count the lines of notes.txt']);
  const onStack: number[] = [];
  for (let stack = stacks[0]; stack; stack = await callerOf(session, stack)) {
    const own = stack.callFrames.filter((frame) => frame.scriptId === scriptId);
    onStack.push(...own.map((frame) => frame.lineNumber));
  }
  return { lines, onStack };
}

/** The stack that awaits this one. */
async function callerOf(session: Session, { parent, parentId }: Stack): Promise<Stack | undefined> {
  if (parent || !parentId) return parent;
  const { stackTrace } = await session.post('Debugger.getStackTrace', { stackTraceId: parentId });
  return stackTrace;
}

/** esbuild writes the name of each source file above its code. */
const fileAt = (lines: readonly string[], line: number): string | undefined =>
  /(?:src|node_modules)\/\S+/.exec(
    lines.slice(0, line).findLast((text) => /^ *\/\/ (src|node_modules)\//.test(text)) ?? '',
  )?.[0];

/**
 * Prints, as its last line, the source files on the stack of calls from `cli/main.ts` to the first graph node, awaited
 * calls included, as the debugger reports them for `capstan run`. Files of packages are left out.
 */
async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-path-'));
  const session = new Session();
  try {
    await buildProgram();
    process.env['CAPSTAN_HOME'] = join(folder, '.home');
    writeFileSync(join(folder, 'notes.txt'), 'one\n');
    process.chdir(folder);
    session.connect();
    const { lines, onStack } = await linesOnStack(session);
    const files = onStack.reverse().map((line) => fileAt(lines, line));
    const own = files.filter((file) => file?.startsWith('src/'));
    if (own.at(-1) !== FIRST_NODE) throw new Error('the first node was not reached');
    console.log(JSON.stringify([...new Set(own)]));
  } finally {
    session.disconnect();
    process.chdir(root);
    rmSync(outfile, { force: true });
    rmSync(folder, { recursive: true });
  }
}

void main();
