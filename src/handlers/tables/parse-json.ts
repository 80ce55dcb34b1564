import { TaskError } from '../task-error.ts';
import { nounsOfName } from './nouns-of-name.ts';
import { columnsOfObjects, createObjectRows, flatten, namesOf } from './parse-objects.ts';
import type { Table } from './table.ts';

/**
 * A JSON document as a table: a list of objects, an object of objects (its keys become the column `key`), or an object
 * with exactly one list of objects in it.
 *
 * @throws TaskError `INPUT_INVALID` where it is no JSON or no table.
 */
export function parseJsonTable(path: string, text: string): Table {
  const objects = objectsOf(parse(path, text));
  if (!objects || objects.length === 0) {
    throw new TaskError(
      'INPUT_INVALID',
      `${path} is no list of JSON objects: it can't be analysed as a table.`,
    );
  }
  const flat = objects.map((object) => flatten(object));
  const names = namesOf(flat);
  const rows = flat.map(createObjectRows(names));
  const { columns, isLog } = columnsOfObjects(names, rows);
  return {
    name: path,
    format: 'JSON',
    isLog,
    columns,
    rowNouns: isLog ? ['request', 'line', 'entry', 'hit'] : nounsOfName(path),
    skipped: { count: 0, lines: [] },
    isWhole: true,
    async *rows() {
      yield rows;
    },
  };
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TaskError('INPUT_INVALID', `${path} is no valid JSON: ${(error as Error).message}`);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isObjects = (value: unknown): value is object[] =>
  Array.isArray(value) && value.every(isObject);

function objectsOf(value: unknown): object[] | undefined {
  if (isObjects(value)) return value;
  if (!isObject(value)) return undefined;
  const inner = Object.values(value);
  const lists = inner.filter((item) => isObjects(item) && item.length > 0) as object[][];
  if (lists.length === 1) return lists[0];
  if (inner.length < 2 || !inner.every(isObject)) return undefined;
  return Object.entries(value).map(([key, item]) => ({ key, ...(item as object) }));
}
