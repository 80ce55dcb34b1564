import { TaskError } from '../../../offline/task-error.ts';
import { type Filled, type Form, form, need } from '../instruction/form.ts';
import { type Act, type Outcome, readLines, readWhole } from './file-tool.ts';

const show = '(?:read|show|print|display|open|cat|view|give|get|output|list|extract)(?: me)?';

/** Forms that show a file or some of its lines. */
export const readForms: readonly Form<Act>[] = [
  form(`${show} (?:whole )?(?:contents? of |text of |file )?<files:file+>`, whole),
  form('what (?:is in|does|is written in) (?:file )?<files:file+>(?: contain| say| hold)?', whole),
  form(
    `${show} (?<end>first|last|top|bottom) (?:(?<count>\\d+) )?lines?(?: of| in| from) (?:file )?<file:file>`,
    part,
  ),
  form('(?<end>head|tail)(?: -n)?(?: (?<count>\\d+))?(?: lines)?(?: of)? <file:file>', part),
  form(`${show} (?<from>\\d+)(?:st|nd|rd|th) line (?:of|in|from) <file:file>`, range),
  form(
    `${show} lines? (?:number )?(?<from>\\d+)(?: ?(?:to|-|–|through|until|and) ?(?<to>\\d+))? (?:of|in|from) <file:file>`,
    range,
  ),
  form(
    `${show} <file:file>,? (?:from )?lines? (?<from>\\d+)(?: ?(?:to|-|–|through|until) ?(?:line )?(?<to>\\d+))?`,
    range,
  ),
];

const fenced = (content: string) => {
  const ticks = '`'.repeat(
    Math.max(3, ...[...content.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  return `${ticks}\n${content.replace(/\n$/, '')}\n${ticks}`;
};

function whole(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const paths = filled.atoms('files').map(({ value }) => value);
    const read: { path: string; content: string; bytes: number; isCut: boolean }[] = [];
    for (const path of paths)
      read.push({ path, ...(await readShown(context, path, paths.length)) });
    const text = read
      .map(({ path, content, bytes, isCut }) => {
        const cut = isCut
          ? `; only the first ${content.split('\n').length - 1} lines are shown`
          : '';
        return `${path} (${bytes} bytes${cut}):\n\n${fenced(content)}`;
      })
      .join('\n\n');
    const [only] = read;
    const isOne = read.length === 1 && only !== undefined && !only.isCut;
    const data = isOne ? { path: only.path, content: only.content } : { files: paths };
    return { text, data };
  };
}

/** Longest text of a file that is shown, in bytes: a result has to fit one line of the protocol with all others. */
const maxShownBytes = 400_000;

async function readShown(context: Parameters<Act>[0], path: string, among: number) {
  const args = { operation: 'read', path, max_bytes: Math.ceil(maxShownBytes / among) };
  const answer = (await context.call('file_io', args, `Read ${path}`)) as {
    content: string;
    bytes: number;
    truncated: boolean;
  };
  return { content: answer.content, bytes: answer.bytes, isCut: answer.truncated };
}

function part(filled: Filled): Act {
  return async (context) => {
    const path = need(filled, 'file').value;
    const end = filled.word('end')?.toLowerCase() ?? '';
    const isOne = /\bline\b/i.test(filled.instruction.line);
    const count = Number(filled.word('count') ?? (isOne ? 1 : 10));
    if (end === 'first' || end === 'top' || end === 'head') {
      const { content } = await readLines(context, path, { fromLine: 1, maxLines: count });
      return linesOutcome(`The first ${count} lines of ${path}`, content, path);
    }
    const { content } = await readWhole(context, path);
    const lines = content.split('\n');
    if (lines.at(-1) === '') lines.pop();
    return linesOutcome(`The last ${count} lines of ${path}`, lines.slice(-count).join('\n'), path);
  };
}

function range(filled: Filled): Act {
  return async (context) => {
    const path = need(filled, 'file').value;
    const from = Number(filled.word('from'));
    const to = Number(filled.word('to') ?? from);
    if (from < 1 || to < from)
      throw new TaskError(
        'INPUT_INVALID',
        `There are no lines ${from} to ${to}: lines count from 1 upwards.`,
      );
    const { content } = await readLines(context, path, { fromLine: from, maxLines: to - from + 1 });
    return linesOutcome(
      from === to ? `Line ${from} of ${path}` : `Lines ${from} to ${to} of ${path}`,
      content,
      path,
    );
  };
}

function linesOutcome(title: string, content: string, path: string): Outcome {
  if (content.length > maxShownBytes) {
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${title} are ${content.length} characters; ask for fewer.`,
    );
  }
  const lines = content.replace(/\n$/, '').split('\n');
  const given = content === '' ? 0 : lines.length;
  return {
    text: `${title}${given === 0 ? ' (there are none).' : ` (${given} given):\n\n${fenced(content)}`}`,
    data: { path, lines: given === 0 ? [] : lines, content },
  };
}
