import type * as z from 'zod';
import type { Problem } from './given.ts';
import { printable } from './printable.ts';
import { readTextFile } from './text-file.ts';

/** A settings file that is as its schema says, or all that is wrong in it. */
export type YamlFile<T> =
  | {
      readonly value: T;
      /** `/…/services.yaml:3 services weather`: where a field stands. */
      placeOf(path: readonly PropertyKey[]): string;
    }
  | { readonly problems: readonly Problem[] };

/**
 * A YAML file of the person's settings folder; undefined where there is none. The parser is loaded only where there is.
 *
 * @param page Where the fields are explained.
 */
export async function parseYamlFile<T>(
  path: string,
  schema: z.ZodType<T>,
  page: string,
): Promise<YamlFile<T> | undefined> {
  const file = readTextFile(path);
  if (file === undefined) return undefined;
  if ('problem' in file) return { problems: [{ where: path, problem: file.problem }] };
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(file.text, { lineCounter: lines, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings].slice(0, 5).map(({ message, pos }) => ({
    where: `${path}:${lines.linePos(pos[0]).line}`,
    problem: `this is not valid YAML: ${printable(message)}. Correct the line.`,
  }));
  if (broken.length > 0) return { problems: broken };
  const placeOf = (field: readonly PropertyKey[]): string => {
    const shown = printable(field.map(String).join(' '), 300);
    for (let length = field.length; length > 0; length--) {
      const node = document.getIn(field.slice(0, length), true);
      if (yaml.isNode(node) && node.range)
        return `${path}:${lines.linePos(node.range[0]).line} ${shown}`;
    }
    return shown === '' ? path : `${path} ${shown}`;
  };
  const parsed = schema.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (parsed.success) return { value: parsed.data, placeOf };
  return { problems: parsed.error.issues.flatMap((issue) => tell(issue, placeOf, page)) };
}

function tell(
  issue: z.core.$ZodIssue,
  placeOf: (path: readonly PropertyKey[]) => string,
  page: string,
): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const problem = `there is no such field. Remove it, or see ${page}.`;
    return issue.keys.map((key) => ({ where: placeOf([...issue.path, key]), problem }));
  }
  const said = issue.code === 'invalid_key' ? issue.issues : [issue];
  return said.map(({ message }) => ({
    where: placeOf(issue.path),
    problem: `${message.replace(/\.$/, '')}.`,
  }));
}
