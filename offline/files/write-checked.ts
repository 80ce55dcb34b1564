import type { HandlerContext, Outcome } from '../context.ts';
import type { Instruction } from '../phrases/instruction.ts';
import { fail } from '../task-error.ts';
import { findFile, many, readWhole } from './file-tool.ts';

/** Maximum size of a written file. With escapes, it must fit into one line of the protocol. */
const MAX_BYTES = 3 * 1024 * 1024;

/** A file to write. `reason` is shown to the person who approves it. */
export interface Writing {
  readonly path: string;
  readonly content: string;
  readonly reason: string;
  /** How the tool gets this content. Default: it writes the whole content. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** Writes a text file and reads it back. Returns its size in bytes. @throws TaskError `TOOL_FAILED` if it then has other content; `INPUT_TOO_LARGE` */
export async function writeChecked(
  context: HandlerContext,
  { path, content, reason, args = { operation: 'write', content } }: Writing,
): Promise<number> {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_BYTES && args['operation'] === 'write')
    fail('INPUT_TOO_LARGE', `${path} would have over ${MAX_BYTES} bytes. Write several files.`);
  await context.call('file_io', { ...args, path }, reason);
  if ((await readWhole(context, path)).content !== content)
    fail('TOOL_FAILED', `${path} has other content than was written, maybe by another program.`);
  context.artifact(path);
  return bytes;
}

type Writer = HandlerContext & Pick<Instruction, 'bans'>;

/** Writes files that a task asks for, unless it forbids one of them. The reasons become the text of the outcome. */
export async function writeFiles(step: Writer, ...all: readonly Writing[]): Promise<Outcome> {
  await keepBans(
    step,
    all.map(({ path }) => path),
  );
  const [lines, written]: [string[], object[]] = [[], []];
  for (const one of all) {
    const bytes = await writeChecked(step, one);
    lines.push(`${one.reason} (${many(bytes, 'byte')}, read back and compared).`);
    written.push({ path: one.path, bytes });
  }
  return { text: lines.join('\n'), data: { written } };
}

/** Checks the bans of a task. @throws TaskError `INPUT_INVALID` if the task asks for a change and also forbids it. */
export async function keepBans(step: Writer, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const bans = step.bans.filter(({ reach, files }) =>
      reach === 'named' ? files.includes(path) : reach === 'all',
    );
    for (const { kind, reach } of bans) {
      const mayBeNew = kind === 'overwrite' || reach === 'all';
      if (mayBeNew && (await findFile(step, path)) === undefined) continue;
      const why = mayBeNew
        ? `exists, and the task says not to ${kind} it`
        : 'is a file that the task says not to change';
      fail('INPUT_INVALID', `Nothing was done: ${path} ${why}.`);
    }
  }
}
