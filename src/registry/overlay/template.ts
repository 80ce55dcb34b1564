import { AppError } from '../../contract/errors.ts';

/** The value of a variable: text, a list (shown as `a, b, c`), or a boolean for `{{#if}}`. */
export type TemplateVariables = Readonly<Record<string, string | readonly string[] | boolean>>;

export interface TemplatePlace {
  /** The file, for errors. */
  readonly path: string;
  /** The first line of the template in the file. Default: 1. */
  readonly line?: number;
  /** Receives each mistake. Default: the first one is thrown. */
  readonly report?: ((mistake: AppError<'TEMPLATE_INVALID'>) => void) | undefined;
}

/**
 * Fills in `{{variable}}` and `{{#if variable}}…{{/if}}`; `\{{` gives two braces. A block is left out if its variable is
 * empty or false; a line with only a block's tag leaves no empty line. Values are not read as templates. Lines end in LF.
 *
 * @throws AppError `TEMPLATE_INVALID`, naming file, line and the unknown variable or the block.
 */
export function renderTemplate(
  template: string,
  variables: TemplateVariables,
  { path, line: firstLine = 1, report }: TemplatePlace,
): string {
  const text = template.replaceAll('\r\n', '\n');
  const blocks: { readonly variable: string; readonly isShown: boolean }[] = [];
  let end = 0;
  const isShown = () => blocks.every((block) => block.isShown);
  const fail = (problem: string) => {
    const line = firstLine + text.slice(0, end).split('\n').length - 1;
    const mistake = new AppError('TEMPLATE_INVALID', { where: `${path}:${line}`, problem });
    if (!report) throw mistake;
    report(mistake);
    return '';
  };
  const lookUp = (name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) return value;
    const known = knownNames(variables);
    return fail(`there is no variable "${name}". Known: ${known}. Write \\{{ for plain braces.`);
  };
  const fill = (tag: string): string => {
    const [, ifName] = /^#if\s+([\w.]+)$/.exec(tag) ?? [];
    if (ifName !== undefined) {
      blocks.push({ variable: ifName, isShown: isTruthy(lookUp(ifName)) });
      return '';
    }
    if (tag === '/if') {
      if (blocks.pop()) return '';
      return fail('there is a {{/if}} without its {{#if …}}.');
    }
    const value = lookUp(tag);
    return isShown() ? toText(value) : '';
  };

  const replace = (mark: string, tag: string | undefined): string => {
    if (mark === '\\{{') return isShown() ? '{{' : '';
    if (tag === undefined) return fail('there is a {{ without its }} on the same line.');
    return fill(tag.trim());
  };

  let out = '';
  for (const { 0: mark, 1: tag, index } of text.matchAll(/\\\{\{|\{\{(.*?)\}\}|\{\{/g)) {
    if (isShown()) out += text.slice(end, index);
    end = index + mark.length;
    out += replace(mark, tag);
    if (isBlockTag(tag) && isOnOwnLine(text, index, end)) end += 1;
  }
  const open = blocks.at(-1);
  if (open) fail(`the block {{#if ${open.variable}}} is not closed by {{/if}}.`);
  return out + text.slice(end);
}

const isBlockTag = (tag = ''): boolean => /^\s*(?:#if\s|\/if)/.test(tag);

const isOnOwnLine = (text: string, start: number, end: number): boolean =>
  (start === 0 || text[start - 1] === '\n') && text[end] === '\n';

const isTruthy = (value: TemplateVariables[string]): boolean =>
  typeof value === 'boolean' ? value : value.length > 0;

const toText = (value: TemplateVariables[string]): string =>
  typeof value === 'object' ? value.join(', ') : String(value);

/** Checks only the form of names such as `can.file_io.write`. */
function knownNames(variables: TemplateVariables): string {
  const names = Object.keys(variables);
  const plain = names.filter((name) => !name.startsWith('can.'));
  const form = names.length > plain.length ? ['can.<tool>', 'can.<tool>.<operation>'] : [];
  return [...plain, ...form].join(', ');
}
