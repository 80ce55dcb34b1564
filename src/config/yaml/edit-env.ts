import { parseEnv } from 'node:util';

/**
 * The text of a `.env` file with one variable set. Every other line stays.
 *
 * @throws Error if the variable can't be set without changing another.
 */
export function editEnv(text: string, name: string, value: string): string {
  const line = `${name}=${quoted(value)}`;
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const own = new RegExp(`^\\s*(export\\s+)?${name}\\s*=`);
  const at = lines.findLastIndex((one) => own.test(one));
  const edited = at === -1 ? [...lines, line] : lines.with(at, line);
  const result = `${edited.join('\n')}\n`;
  assertOnlyChange(text, result, { name, value });
  return result;
}

/** Quotes that `parseEnv` removes, if the value needs some. */
function quoted(value: string): string {
  if (/^[\w.~+/=:-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? "'";
  return `${quote}${value}${quote}`;
}

/** A value can have several lines, so a line that looks like a variable may be part of another value. */
function assertOnlyChange(
  before: string,
  after: string,
  { name, value }: { readonly name: string; readonly value: string },
): void {
  const wanted = { ...parseEnv(before), [name]: value };
  const found = parseEnv(after);
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  const isAsWanted = [...names].every((one) => wanted[one] === found[one]);
  if (!isAsWanted) throw new Error(`${name} can't be set without changing another line`);
}
