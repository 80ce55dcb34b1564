import type * as z from 'zod';
import {
  isMissingValue,
  plainIssues,
  unknownField,
  wordsOf,
} from '../../contract/text/issue-words.ts';
import { printable } from '../../contract/text/printable.ts';
import { valueAt } from '../../platform/text/parse-json.ts';
import { type LocatedProblem, locatedProblem, settingsInvalid } from '../read/given.ts';
import { readTextFile } from './text-file.ts';

/** The place of a value in words: `/…/prices.yaml:3 openai gpt-x input_usd`. */
export type PlaceOf = (path: readonly PropertyKey[]) => string;

/** The line of a value, or of the nearest value around it. With an empty path: of the whole document. */
export type LineOf = (path: readonly PropertyKey[]) => number | undefined;

export interface YamlForm<Schema extends z.ZodType> {
  /** Its messages say what to write. */
  readonly schema: Schema;
  /** All names of the form, to suggest the nearest one. */
  readonly fields: readonly string[];
  /** The page that explains the form: `docs/money.md`. */
  readonly page: string;
  /** The names of a value, given the whole document: `hooks[0] on[1]`. Default: its keys. */
  readonly nameOf?: (path: readonly PropertyKey[], document: unknown) => string;
}

/**
 * Reads a YAML file of a strict form, if there is one.
 *
 * @throws AppError `SETTINGS_INVALID` with file, line, field, value and fix of each problem.
 */
export async function readStrictYaml<Schema extends z.ZodType>(
  path: string,
  form: () => YamlForm<Schema>,
): Promise<{ readonly value: z.output<Schema>; readonly placeOf: PlaceOf } | undefined> {
  const file = readTextFile(path);
  if (file === undefined) return undefined;
  if ('problem' in file) throw settingsInvalid([{ where: path, problem: file.problem }]);
  const parsed = await parseStrictYaml(path, file.text, form());
  if ('problems' in parsed) throw settingsInvalid(parsed.problems);
  return parsed;
}

/** A YAML file of a strict form, or its problems. Loads the YAML parser, so it is only called if there is a file. */
export async function parseStrictYaml<Schema extends z.ZodType>(
  file: string,
  text: string,
  form: YamlForm<Schema>,
): Promise<
  | { readonly value: z.output<Schema>; readonly placeOf: PlaceOf; readonly lineOf: LineOf }
  | { readonly problems: readonly LocatedProblem[] }
> {
  const { document, lineOf, broken } = await openYaml(file, text);
  if (broken.length > 0) return { problems: broken };
  let value: unknown;
  const { nameOf = pathWords } = form;
  const spotOf: SpotOf = (path) => {
    const field = printable(nameOf(path, value), 300);
    const line = lineOf(path) ?? lineOf([]);
    return { place: line === undefined ? file : `${file}:${line}`, field };
  };
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch {
    const fix = 'Write the values themselves.';
    return { problems: [locatedProblem(file, 'its aliases expand to too much', { fix })] };
  }
  const placeOf: PlaceOf = (path) => {
    const { place, field } = spotOf(path);
    return field === '' ? file : `${place} ${field}`;
  };
  const parsed = form.schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, placeOf, lineOf };
  const issues = parsed.error.issues.flatMap(plainIssues);
  return { problems: issues.flatMap((issue) => problemsIn(issue, value, { spotOf, form })) };
}

/** A YAML document, and at most five of its errors. */
export async function openYaml(
  file: string,
  text: string,
  options: { readonly schema?: 'failsafe' } = {},
) {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    ...options,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const broken = [...document.errors, ...document.warnings].slice(0, 5).map(({ message, pos }) => {
    const place = `${file}:${lines.linePos(pos[0]).line}`;
    const problem = `this is not valid YAML: ${printable(message)}`;
    return locatedProblem(place, problem, { fix: 'Correct the line.' });
  });
  const lineOf: LineOf = (path) => {
    const node = document.getIn(path, true);
    if (yaml.isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return path.length > 1 ? lineOf(path.slice(0, -1)) : undefined;
  };
  return { document, lines, lineOf, broken };
}

/** The place of a value: `/…/prices.yaml:3`, and its names. For a missing value, the place where it belongs. */
type SpotOf = (path: readonly PropertyKey[]) => { readonly place: string; readonly field: string };

function problemsIn(
  issue: z.core.$ZodIssue,
  value: unknown,
  { spotOf, form }: { readonly spotOf: SpotOf; readonly form: YamlForm<z.ZodType> },
): LocatedProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const { problem, fix } = unknownField(key, form.fields, `Remove it, or see ${form.page}.`);
      const { place, field } = spotOf([...issue.path, key]);
      return locatedProblem(place, problem, { field, fix });
    });
  }
  const { place, field } = spotOf(issue.path);
  // A list of one may be written as its only value.
  const around = issue.path.at(-1) === 0 ? valueAt(value, issue.path.slice(0, -1)) : undefined;
  const written = valueAt(value, issue.path) ?? around;
  const said = wordsOf(issue);
  if (isMissingValue(issue)) {
    const problem = said === 'must be there' ? 'it is missing' : `it is missing; it ${said}`;
    return [locatedProblem(place, problem, { field, fix: 'Add it.' })];
  }
  const shown = written === undefined ? 'it is missing' : printable(JSON.stringify(written), 80);
  return [locatedProblem(place, `${shown}: ${said}`, { field })];
}

/** `hooks[0] on[1]` */
const pathWords = (path: readonly PropertyKey[]): string =>
  path
    .map((part, at) =>
      typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : ' '}${String(part)}`,
    )
    .join('');
