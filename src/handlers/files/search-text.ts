import { TaskError } from '../../../offline/task-error.ts';
import { type Filled, type Form, form, need } from '../instruction/form.ts';
import { wordLetter } from '../instruction/letters.ts';
import { notUnderstood } from '../instruction/not-understood.ts';
import { globsOfKind, kindWords } from './file-kinds.ts';
import { type Act, type Match, type Matches, type Outcome, searchLines } from './file-tool.ts';
import { caseForm, needleForm, needleOf } from './needle.ts';
import { deepForm } from './place.ts';
import { onlyText } from './results.ts';

const has =
  '(?:contain|contains|containing|have|having|with|match|matches|matching|mention|mentions|mentioning|include|including)';
const show =
  '(?:find|list|show|extract|get|print|display|give|select|search for|look for|grep)(?: me)?(?: all)?(?: of)?';
const bareFolder = `(?!(?:it|them|output|results?|page|text|response|all|lines?|files?|folder|directory|this|current|workspace|project|for)\\b)(?<bareFolder>(?:${wordLetter}|[.-])+)(?: folder| directory)?`;
const where = `(?:(?: in| of| from| inside| under| within)(?: all| folder| directory| file)*(?: <where:file|glob>(?: folder| directory)?| ${bareFolder}| (?:(?<kind>${kindWords}) )?files(?: (?:in|of|under|inside) (?:<folder:file>|(?:this |current )?(?:folder|directory|workspace|project)))?| (?:this |current )?(?:folder|directory|workspace|project)))`;

/** Forms that find lines and the files that hold them. */
export const searchForms: readonly Form<Act>[] = [
  form(
    `(?:search|grep|scan|look)(?: in| through| inside)?(?: all)? (?:<where:file|glob>|(?:folder |directory )?${bareFolder}|(?:(?<kind>${kindWords}) )?files(?: (?:in|of|under|inside) <folder:file>)?|(?:this |current )?(?:folder|directory|workspace|project)) for (?:all )?(?:lines ${has} |occurrences of |mentions of )?${needleForm}${caseForm}`,
    lines,
  ),
  form(
    `(?:search|look|grep|scan)(?: for)? (?:all )?(?:lines ${has} |occurrences of |mentions of )?${needleForm}${where}?${deepForm}${caseForm}`,
    lines,
  ),
  form(
    `${show} (?:occurrences of |mentions of |places with )?(?<needle>«[qp]\\d+»)${where}${deepForm}${caseForm}`,
    lines,
  ),
  form(`${show} (?:occurrences|mentions) of ${needleForm}${where}${deepForm}${caseForm}`, lines),
  form(
    `${show} lines${where} (?:that |which )?(?<not>do not |don't )?${has} ${needleForm}${caseForm}`,
    lines,
  ),
  form(
    `${show} lines (?:that |which )?(?<not>do not |don't )?${has} ${needleForm}${where}${caseForm}`,
    lines,
  ),
  form(
    `${show} lines${where} (?:that |which )?(?<line>start|begin|end)(?:s|ing)? with ${needleForm}${caseForm}`,
    lines,
  ),
  form(
    `${show} lines (?:that |which )?(?<line>start|begin|end)(?:s|ing)? with ${needleForm}${where}${caseForm}`,
    lines,
  ),
  form(`(?:which|what) files${where}? ${has} ${needleForm}${caseForm}`, files),
  form(
    `${show} (?:(?<kind>${kindWords}) )?files(?: (?:in|under|of) <folder:file>(?: folder| directory)?)? (?:that |which )?${has} (?:text |word |string )?(?<needle>«[qcp]\\d+»)${caseForm}`,
    files,
  ),
  form(
    `${show} (?:(?<kind>${kindWords}) )?files (?:that |which )?${has} (?:text |word |string )?(?<needle>«[qcp]\\d+») (?:in|under|of) (?:<folder:file>(?: folder| directory)?|(?:this |current )?(?:folder|directory|workspace|project))${caseForm}`,
    files,
  ),
  form(
    '(?:list|show|find|get|extract|print)(?: all)? headings (?:of|in|from) <file:file>',
    headings,
  ),
];

/** Forms that find a bare word: the last to be asked, and only for words in capitals. */
export const wordForms: readonly Form<Act>[] = [
  form(
    `(?:find|list|show|get)(?: me)?(?: all)? (?<bare>\\w+)${where}${deepForm}${caseForm}`,
    (filled) => {
      if (/^[A-Z][A-Z0-9_]+$/.test(filled.word('bare') ?? '')) return lines(filled);
      throw notUnderstood(
        filled.instruction.task,
        [filled.word('bare') ?? ''],
        'I find a text in files where it stands in quotes.',
      );
    },
  ),
];

/** Longest text of all lines found, in characters: it stands in a result more than once. */
const maxFoundChars = 500_000;

interface Scope {
  readonly path: string;
  readonly globs: readonly string[] | undefined;
}

function scopeOf(filled: Filled): Scope {
  const named = filled.atom('where');
  const kind = filled.word('kind');
  if (named?.kind === 'glob')
    return { path: '.', globs: [named.value.includes('/') ? named.value : `**/${named.value}`] };
  const path = (
    named?.value ??
    filled.atom('folder')?.value ??
    filled.word('bareFolder') ??
    '.'
  ).replace(/(?<=.)\/+$/, '');
  return {
    path,
    globs: kind === undefined ? undefined : globsOfKind(kind).map((glob) => `**/${glob}`),
  };
}

const shownScope = ({ path, globs }: Scope) =>
  `${globs === undefined ? '' : `${globs.join(', ')} in `}${path === '.' ? 'the workspace' : path}`;

async function search(
  filled: Filled,
  context: Parameters<Act>[0],
): Promise<Matches & { scope: Scope; shown: string }> {
  const scope = scopeOf(filled);
  const needle = needleOf(filled);
  const pattern =
    filled.word('not') === undefined ? needle.pattern : `^(?!.*(?:${needle.pattern}))`;
  const found = await searchLines(context, scope.path, {
    pattern,
    ignoreCase: needle.ignoreCase,
    globs: scope.globs,
  });
  const chars = found.matches.reduce((sum, { text }) => sum + text.length, 0);
  if (found.truncated || chars > maxFoundChars) {
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${found.total} lines match ${needle.shown} in ${shownScope(scope)}; they do not fit into a result. Narrow the search, or ask for their number.`,
    );
  }
  const shown = `${filled.word('not') === undefined ? '' : 'without '}${needle.shown}${needle.ignoreCase ? ' in any letter case' : ''}`;
  return { ...found, scope, shown };
}

/** Lines of one file stand as they are; lines of several with their file. */
function lines(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const { matches, total, scope, shown } = await search(filled, context);
    const title = `${total} line${total === 1 ? '' : 's'} ${shown.startsWith('without') ? shown : `with ${shown}`} in ${shownScope(scope)}`;
    const text = total === 0 ? `${title}.` : `${title}:\n\n${matches.map(shownMatch).join('\n')}`;
    const data = {
      count: total,
      lines: matches.map((match) => match.text),
      columns: ['path', 'line', 'text'],
      rows: matches.map(({ path, line, text: found }) => [path, line, found]),
    };
    return { text, data };
  };
}

const shownMatch = ({ path, line, text }: Match) => `- ${path}:${line}: ${text.trim()}`;

function files(filled: Filled): Act {
  return async (context) => {
    const { matches, scope, shown } = await search(filled, context);
    const counts = new Map<string, number>();
    for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
    const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const title = `${rows.length} file${rows.length === 1 ? '' : 's'} of ${shownScope(scope)} contain ${shown}`;
    const text =
      rows.length === 0
        ? `${title}.`
        : `${title}:\n\n${rows.map(([path, count]) => `- ${path} (${count} line${count === 1 ? '' : 's'})`).join('\n')}`;
    return { text, data: { count: rows.length, columns: ['path', 'lines'], rows } };
  };
}

function headings(filled: Filled): Act {
  return async (context) => {
    const path = need(filled, 'file').value;
    const { matches, total } = await searchLines(context, path, {
      pattern: '^#{1,6} ',
      ignoreCase: false,
    });
    return {
      text:
        total === 0
          ? `${path} has no headings.`
          : `${total} headings of ${path}:\n\n${matches.map(({ text }) => `- ${text.trim()}`).join('\n')}`,
      data: { count: total, lines: matches.map(({ text }) => text) },
    };
  };
}

const inResult = '(?: (?:in|of|from) (?:it|them|output|results?|page|text|response))';

/** Forms that look for lines in what one earlier step found. */
export const searchResultForms: readonly Form<Act>[] = [
  form(
    `${show} (?:lines (?:that )?${has} |occurrences of )?${needleForm}${inResult}${caseForm}`,
    linesOfResult,
  ),
  form(`${show} lines${inResult} (?:that )?${has} ${needleForm}${caseForm}`, linesOfResult),
  form(
    `(?:search|grep) (?:it|them|output|results?|page|text|response) for ${needleForm}${caseForm}`,
    linesOfResult,
  ),
];

function linesOfResult(filled: Filled): Act {
  return async (context) => {
    const needle = needleOf(filled);
    const { name, text } = onlyText(context.results);
    const pattern = new RegExp(needle.pattern, needle.ignoreCase ? 'i' : '');
    const found = text.split('\n').filter((line) => line.length < 100_000 && pattern.test(line));
    const title = `${found.length} line${found.length === 1 ? '' : 's'} with ${needle.shown} in the result of ${name}`;
    return {
      text:
        found.length === 0
          ? `${title}.`
          : `${title}:\n\n${found.map((line) => `- ${line.trim()}`).join('\n')}`,
      data: { count: found.length, lines: found },
    };
  };
}
