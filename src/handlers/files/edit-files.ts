import { TaskError } from '../../../offline/task-error.ts';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { type Filled, type Form, form, need } from '../instruction/form.ts';
import { notSupported } from '../instruction/not-understood.ts';
import { keepBans } from './bans.ts';
import {
  type Act,
  assertHolds,
  findFile,
  listFolder,
  type Outcome,
  readWhole,
  writeChecked,
} from './file-tool.ts';
import { anyMoveForms, moveForms } from './refuse-moves.ts';
import { renderResults } from './render-results.ts';
import { foundBefore, rawText } from './results.ts';

const writeVerb = '(?:write|save|put|store|create|make)';
const said =
  '(?: exact| following)?(?: text| line| content| contents| words?| string| sentence| message| note)?';
const all =
  '(?:(?:all|every|each|any)(?: of)? )?(?:(?:occurrences?|instances?|places) of )?(?:(?:word|text|string|phrase) )?';
const everywhere = '(?: everywhere)?';

/** Forms that write, append, replace and copy, and those that no tool can do. */
export const editForms: readonly Form<Act>[] = [
  form(
    `${writeVerb}${said}:? <content:quote> (?:to|into|in|as)(?: new)?(?: text)?(?: file)?(?: called| named)? <file:file>`,
    writing,
  ),
  form(
    `${writeVerb}(?: new| text)*(?: file)?(?: called| named)? <file:file>,? (?:(?:that |which )?(?:with|containing|contains|says|saying|holding))(?: only)?${said}:? <content:quote|fence>`,
    writing,
  ),
  form(
    `${writeVerb} (?:this|following|text|content|it)? ?(?:to|into|in|as)(?: new)?(?: file)? <file:file>:? <content:fence|quote>`,
    writing,
  ),
  form(
    `${writeVerb}(?: file)? <file:file>:? (?:with(?: following| this)?(?: content| text)?:? )?<content:fence>`,
    writing,
  ),
  form(
    `(?:create|make|write)(?: new)? empty (?:text )?file(?: called| named)? <file:file>`,
    writing,
  ),
  form(
    `(?:append|add)${said}:? <content:quote|fence> (?:to|at|as last line of)(?: (?:end|bottom) of)?(?: file)? <file:file>`,
    appending,
  ),
  form(
    `(?:append|add)(?: (?:this|following)(?: text| line| lines)?)? to(?: end of)?(?: file)? <file:file>:? <content:fence|quote>`,
    appending,
  ),
  form(
    `(?:append|add) (?<object>(?:it|them|results?|answers?|outputs?|findings|report|summary|this|that|everything|all of (?:it|them))) (?:to|at)(?: end of)?(?: file)? <file:file>`,
    appendingResults,
  ),
  form(
    `(?:replace|substitute) ${all}<old:quote|code> (?:with|by|through|for) <new:quote|code>${everywhere} in (?:(?:all )?(?:files? )?)<targets:file|glob+>(?: files)?${everywhere}`,
    replacing,
  ),
  form(
    `in (?:all )?<targets:file|glob+>(?: files)?,? (?:replace|substitute|change) ${all}<old:quote|code> (?:with|by|to) <new:quote|code>${everywhere}`,
    replacing,
  ),
  form(
    `(?:change|edit) ${all}<old:quote|code> (?:to|into) <new:quote|code>${everywhere} in (?:(?:all )?(?:files? )?)<targets:file|glob+>`,
    replacing,
  ),
  form(
    '(?:copy|duplicate|back ?up)(?: (?:file|contents? of))? <file:file> (?:to|as|into|onto)(?: file)? <target:file>',
    copying,
  ),
  form(
    '(?:make|create) (?:copy|backup|duplicate) of <file:file> (?:as|to|called|named|in|at) <target:file>',
    copying,
  ),
  ...moveForms,
  ...anyMoveForms,
];

function writing(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const path = need(filled, 'file').value;
    await keepBans(context, filled.instruction, path);
    const atom = filled.atom('content');
    const content = atom?.kind === 'fence' ? `${atom.value}\n` : (atom?.value ?? '');
    const bytes = await writeChecked(context, {
      path,
      content,
      reason: 'Write the text that the task gives',
    });
    return {
      text: `Wrote ${path} (${bytes} bytes, read back and compared).`,
      data: { written: [{ path, bytes }] },
    };
  };
}

/** What is appended starts on a line of its own and ends it. */
async function append(context: HandlerContext, filled: Filled, content: string): Promise<Outcome> {
  const path = need(filled, 'file').value;
  await keepBans(context, filled.instruction, path);
  const before =
    (await findFile(context, path)) === undefined ? '' : (await readWhole(context, path)).content;
  const joint = before === '' || before.endsWith('\n') ? '' : '\n';
  const added = `${joint}${content.replace(/\n$/, '')}\n`;
  await context.call(
    'file_io',
    { operation: 'append', path, content: added },
    `Append to ${path} what the task asks for`,
  );
  await assertHolds(context, path, before + added);
  context.artifact(path);
  const text = `Appended ${added.trim().split('\n').length} line(s) to ${path}${before === '' ? ', which was new or empty' : ''} (read back and compared).`;
  return {
    text,
    data: { written: [{ path, bytes: new TextEncoder().encode(before + added).length }] },
  };
}

function appending(filled: Filled): Act {
  return (context) => append(context, filled, need(filled, 'content').value);
}

function appendingResults(filled: Filled): Act {
  return (context) => {
    const found = foundBefore(context.results);
    const [only] = found;
    if (only === undefined)
      throw new TaskError(
        'NOTHING_TO_SAVE',
        'No earlier step found anything that could be appended.',
      );
    const raw = found.length === 1 ? rawText(only) : undefined;
    return append(
      context,
      filled,
      raw ?? renderResults(found, { format: 'text', title: undefined, part: 'all' }),
    );
  };
}

function replacing(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const [old, replacement] = [need(filled, 'old').value, filled.atom('new')?.value ?? ''];
    if (old === '')
      throw new TaskError('INPUT_INVALID', 'There is no text to replace between the quotes.');
    const counts: { path: string; count: number; content: string }[] = [];
    for (const path of await targetsOf(context, filled)) {
      const { content } = await readWhole(context, path);
      counts.push({ path, count: content.split(old).length - 1, content });
    }
    const hits = counts.filter(({ count }) => count > 0);
    if (hits.length === 0) {
      throw new TaskError(
        'NOT_FOUND',
        `"${old}" does not occur in ${counts.map(({ path }) => path).join(', ')}; nothing was changed. Letter case counts.`,
      );
    }
    for (const { path } of hits) await keepBans(context, filled.instruction, path);
    for (const { path, content } of hits)
      await replaceIn(context, { path, content, old, replacement });
    const lines = counts.map(({ path, count }) => `${path}: ${count} replaced`);
    return {
      text: `Replaced "${old}" with "${replacement}" (read back and compared):\n\n- ${lines.join('\n- ')}`,
      data: {
        written: hits.map(({ path }) => ({ path })),
        columns: ['path', 'replaced'],
        rows: counts.map(({ path, count }) => [path, count]),
      },
    };
  };
}

async function replaceIn(
  context: HandlerContext,
  edit: { path: string; content: string; old: string; replacement: string },
): Promise<void> {
  const { path, content, old, replacement } = edit;
  const args = { operation: 'edit', path, old_text: old, new_text: replacement, replace_all: true };
  await context.call('file_io', args, `Replace "${old}" with "${replacement}" in ${path}`);
  await assertHolds(
    context,
    path,
    content.replaceAll(old, () => replacement),
  );
  context.artifact(path);
}

async function targetsOf(context: HandlerContext, filled: Filled): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { kind, value } of filled.atoms('targets')) {
    if (kind === 'file') {
      paths.push(value);
      continue;
    }
    const globs = [value.includes('/') ? value : `**/${value}`];
    const { entries, truncated } = await listFolder(context, '.', { globs, recursive: true });
    const files = entries.filter((entry) => entry.kind === 'file').map(({ path }) => path);
    if (files.length === 0) throw new TaskError('NOT_FOUND', `No file matches ${value}.`);
    if (truncated || files.length > 10) {
      throw new TaskError(
        'INPUT_TOO_LARGE',
        `${files.length} files match ${value}; at most 10 are edited in one step.`,
      );
    }
    paths.push(...files);
  }
  return [...new Set(paths)];
}

function copying(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const [from, given] = [need(filled, 'file').value, need(filled, 'target').value];
    const to = given.endsWith('/') ? `${given}${from.slice(from.lastIndexOf('/') + 1)}` : given;
    if (from === to) throw new TaskError('INPUT_INVALID', `${from} can't be copied to itself.`);
    await keepBans(context, filled.instruction, to);
    const { content, bytes } = await readWhole(context, from);
    if (new TextEncoder().encode(content).length !== bytes) {
      throw notSupported(
        `${from} is not plain UTF-8 text, and a copy made of its text would differ. Give the exact command in back-ticks instead, such as: run \`cp ${from} ${to}\`.`,
      );
    }
    await writeChecked(context, { path: to, content, reason: `Copy ${from} to ${to}` });
    return {
      text: `Copied ${from} to ${to} (${bytes} bytes, read back and compared).`,
      data: { written: [{ path: to, bytes }] },
    };
  };
}
