import { formatFor, renderResults } from '../files/results/render-results.ts';
import { foundBefore, rawText } from '../files/results/results.ts';
import { writeFiles } from '../files/write-checked.ts';
import { fail } from '../task-error.ts';
import { type Fit, type Form, firstFit } from './form.ts';
import type { Instruction } from './instruction.ts';
import { match } from './pattern.ts';

const save = '(save|write|put|store|export|copy|output|dump)';
const named = '[new] [text|json|csv|markdown] [file] [called|named] {target:file}';
const target = `([and] ${save} [it|them|this|that|result|results|list|output] (to|into|in|as)|to|into|as) ${named}`;
const targetOfSave = `(to|into|in|as) ${named}`;

/**
 * Matches an instruction that ends with a file for its result: `copy the first lines of a.log to b.log`, `list the links
 * in a.md and save them as b.txt`. The rest must match one of the forms, which only read.
 */
export function savedFit(instruction: Instruction, forms: readonly Form[]): Fit | undefined {
  const { tokens, bans, task } = instruction;
  const [verb, ...others] = tokens;
  const isSave = verb !== undefined && match(`${save}`, [verb]) !== undefined;
  const found = match(isSave ? targetOfSave : target, tokens, 'end');
  const path = found?.captures['target']?.[0]?.text;
  if (found === undefined || path === undefined || verb === undefined) return undefined;
  const asked = isSave ? [{ ...verb, norm: 'show', stem: 'show' }, ...others] : tokens;
  const read = firstFit({ ...instruction, tokens: asked.slice(0, -found.size) }, forms);
  if (read === undefined) return undefined;
  return async (context) => {
    const format = formatFor(path);
    const result = await read(context);
    const all = foundBefore([{ description: task, result }]);
    const { count, lines } = result.data as { count?: number; lines?: readonly string[] };
    if (count === 0 || lines?.length === 0)
      fail('NOT_FOUND', `${result.text} Nothing was written to ${path}.`);
    const raw = all.map((one) => rawText(one) ?? `${one.text.trim()}\n`).join('');
    const isText = format === 'text' || format === 'markdown';
    const content = isText ? raw : renderResults(all, { format, title: '', part: 'raw' });
    const writing = { path, content, reason: `Saved as ${path}` };
    const { text, data } = await writeFiles({ ...context, bans }, writing);
    return { text: `${text}\n\n${result.text}`, data };
  };
}
