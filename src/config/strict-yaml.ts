import type * as z from 'zod';
import { closest } from './closest.ts';
import type { Problem } from './given.ts';
import { printable } from './printable.ts';

/** Where a value stands, for people: `/…/prices.yaml:3 openai gpt-x input_usd`. */
export type PlaceOf = (path: readonly PropertyKey[]) => string;

export interface YamlForm<Schema extends z.ZodType> {
  /** Its messages say what to write. */
  readonly schema: Schema;
  /** All names that the form knows: an unknown one is told the nearest. */
  readonly fields: readonly string[];
  /** The page that explains the form: `docs/money.md`. */
  readonly page: string;
}

/** A YAML file of a strict form, or all that is wrong with it. The parser of YAML is loaded here, so only where there is a file. */
export async function parseStrictYaml<Schema extends z.ZodType>(
  file: string,
  text: string,
  form: YamlForm<Schema>,
): Promise<
  | { readonly value: z.output<Schema>; readonly placeOf: PlaceOf }
  | { readonly problems: readonly Problem[] }
> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings].slice(0, 5).map(({ message, pos }) => ({
    where: `${file}:${lines.linePos(pos[0]).line}`,
    problem: `this is not valid YAML: ${printable(message)}. Correct the line.`,
  }));
  if (broken.length > 0) return { problems: broken };
  const placeOf: PlaceOf = (path) => {
    const shown = printable(path.map(String).join(' '), 300);
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (yaml.isNode(node) && node.range)
        return `${file}:${lines.linePos(node.range[0]).line} ${shown}`;
    }
    return shown === '' ? file : `${file} ${shown}`;
  };
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  const parsed = form.schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, placeOf };
  return {
    problems: parsed.error.issues.flatMap((issue) => tell(issue, value, { placeOf, form })),
  };
}

function tell(
  issue: z.core.$ZodIssue,
  value: unknown,
  { placeOf, form }: { readonly placeOf: PlaceOf; readonly form: YamlForm<z.ZodType> },
): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const meant = closest(key, form.fields);
      const fix = meant ? `Did you mean ${meant}?` : `Remove it, or see ${form.page}.`;
      return { where: placeOf([...issue.path, key]), problem: `there is no such field. ${fix}` };
    });
  }
  const written = at(value, issue.path);
  const shown = written === undefined ? 'it is missing' : printable(JSON.stringify(written), 80);
  const said = issue.code === 'invalid_key' ? issue.issues : [issue];
  return said.map(({ message }) => ({
    where: placeOf(issue.path),
    problem: `${shown}: ${message.replace(/\.$/, '')}.`,
  }));
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}
