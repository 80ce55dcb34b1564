import { type JsonText, NumberText } from '../formats/json-values.ts';
import { classify, classifyString, Kind, kindOf } from './cell.ts';

/** A cell of a file. Undefined: the row has no such cell. */
export type Cell = string | NumberText | JsonText | boolean | null | undefined;

/** @param isTyped A text is never a number (JSON). */
export function codeOf(cell: Cell, isTyped: boolean): number {
  if (typeof cell === 'string') return isTyped ? classifyString(cell) : classify(cell);
  if (cell === null || cell === undefined) return Kind.missing;
  if (cell instanceof NumberText) return classify(cell.text);
  return typeof cell === 'boolean' ? Kind.boolean : Kind.text;
}

export function textOrNull(cell: Cell): string | null {
  if (typeof cell === 'string') return cell;
  if (cell === null || cell === undefined) return null;
  return typeof cell === 'boolean' ? String(cell) : cell.text;
}

/** Doubles have fifteen digits; the affinity of the column turns whole ones into integers. */
export const numberOf = (text: string, kind: Kind): unknown =>
  kind === Kind.integer && text.length > 15 ? BigInt(text.trim().replace('+', '')) : Number(text);

/** A value of a `mixed` column. Booleans are 1 and 0, as in SQLite's JSON functions. */
export function mixedValue(cell: Cell, code: number): unknown {
  if (typeof cell === 'boolean') return BigInt(cell);
  if (!(cell instanceof NumberText)) return textOrNull(cell);
  return kindOf(code) === Kind.integer ? BigInt(cell.text) : Number(cell.text);
}
