import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** What a run must have produced; the kinds of `check_task.py`, and `answer_contains` for tasks that only answer. */
export type Check =
  | { readonly kind: 'all'; readonly checks: readonly Check[] }
  | {
      readonly kind: 'json_file';
      readonly path: string;
      readonly value: unknown;
      readonly tolerance?: number;
    }
  | {
      readonly kind: 'csv_file';
      readonly path: string;
      readonly header: readonly string[];
      readonly rows: readonly (readonly (string | number)[])[];
      readonly tolerance?: number;
    }
  | {
      readonly kind: 'sqlite';
      readonly path: string;
      readonly sql: string;
      readonly value: unknown;
      readonly tolerance?: number;
    }
  | { readonly kind: 'text_contains'; readonly path: string; readonly all: readonly string[] }
  | { readonly kind: 'text_is'; readonly path: string; readonly value: string }
  | { readonly kind: 'exists' | 'absent' | 'unchanged'; readonly path: string }
  | { readonly kind: 'answer_contains'; readonly all: readonly string[] }
  | {
      readonly kind: 'reported_failure';
      readonly must_not_exist: string;
      readonly answer_mentions: readonly string[];
    };

export interface Left {
  readonly workspace: string;
  readonly inputs: string;
  readonly answer: string;
}

export interface Verdict {
  readonly isRight: boolean;
  /** True if it is about the answer, not about files. */
  readonly isWording: boolean;
  readonly what: string;
}

/** Checks what a run produced. Never throws: a file that can't be read is a wrong one. */
export function check(expected: Check, left: Left): readonly Verdict[] {
  const isWording = expected.kind === 'answer_contains';
  try {
    if (expected.kind === 'all') return expected.checks.flatMap((one) => check(one, left));
    if (expected.kind === 'reported_failure') {
      const absent = { kind: 'absent', path: expected.must_not_exist } as const;
      const named = { kind: 'answer_contains', all: expected.answer_mentions } as const;
      return [absent, named].flatMap((one) => check(one, left));
    }
    return [{ isRight: holds(expected, left), isWording, what: label(expected) }];
  } catch (error) {
    return [
      {
        isRight: false,
        isWording,
        what: `${label(expected)}: ${error instanceof Error ? error.message : String(error)}`,
      },
    ];
  }
}

const label = (expected: Check) =>
  'path' in expected ? `${expected.kind} ${expected.path}` : expected.kind;

function holds(
  expected: Exclude<Check, { kind: 'all' | 'reported_failure' }>,
  { workspace, inputs, answer }: Left,
): boolean {
  const path = 'path' in expected ? join(workspace, expected.path) : '';
  switch (expected.kind) {
    case 'json_file':
      return isSame(
        expected.value,
        JSON.parse(readFileSync(path, 'utf8')),
        expected.tolerance ?? 0,
      );
    case 'csv_file':
      return isSameTable(expected, readCsv(readFileSync(path, 'utf8')));
    case 'sqlite':
      return isSame(expected.value, queryRows(path, expected.sql), expected.tolerance ?? 0.005);
    case 'text_contains':
      return containsAll(readFileSync(path, 'utf8'), expected.all);
    case 'text_is':
      return readFileSync(path, 'utf8') === expected.value;
    case 'exists':
      return existsSync(path);
    case 'absent':
      return !existsSync(path);
    case 'unchanged':
      return readFileSync(path).equals(readFileSync(join(inputs, expected.path)));
    case 'answer_contains':
      return containsAll(answer, expected.all);
    default:
      throw new Error(`unknown kind ${JSON.stringify(expected)}`);
  }
}

const containsAll = (text: string, parts: readonly string[]) =>
  parts.every((part) => text.includes(part));

/** Equal values; numbers within a tolerance; objects with the same keys. */
export function isSame(a: unknown, b: unknown, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance + 1e-9;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => isSame(item, b[at], tolerance))
    );
  }
  if (typeof a !== 'object' || a === null) return a === b;
  if (typeof b !== 'object' || b === null || Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) => Object.hasOwn(b, key) && isSame(Reflect.get(a, key), Reflect.get(b, key), tolerance),
    )
  );
}

function isSameTable(
  expected: Extract<Check, { kind: 'csv_file' }>,
  found: readonly (readonly string[])[],
): boolean {
  const [header = [], ...rows] = found;
  if (
    !isSame(
      expected.header,
      header.map((name) => name.trim()),
      0,
    ) ||
    rows.length !== expected.rows.length
  )
    return false;
  return expected.rows.every((row, at) =>
    row.every((value, column) => {
      const cell = rows[at]?.[column] ?? '';
      return typeof value === 'number'
        ? cell.trim() !== '' && isSame(value, Number(cell), expected.tolerance ?? 0)
        : cell === value;
    }),
  );
}

/** RFC 4180. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', mark] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    if (mark === '' && row.length === 0 && quoted === undefined && plain === '') break;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (mark === ',') continue;
    rows.push(row);
    row = [];
    if (mark === '') break;
  }
  return rows;
}

function queryRows(path: string, sql: string): unknown[] {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare(sql).raw().all();
  } finally {
    database.close();
  }
}
