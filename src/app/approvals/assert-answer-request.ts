import { AppError } from '../../contract/errors.ts';

/**
 * Checks the types of an answer's fields, which untyped callers may get wrong. Their values are checked later.
 *
 * @throws AppError `USAGE`, with the name of the field.
 */
export function assertAnswerRequest(request: unknown): void {
  assertObject('request', request);
  const { answer, by, binding, note, remember } = request;
  assertText('answer', answer);
  assertText('by', by);
  assertOptionalText('binding', binding);
  assertOptionalText('note', note);
  if (remember === undefined) return;
  assertObject('remember', remember);
  assertOptionalText('remember.pattern', remember['pattern']);
  assertOptionalText('remember.until', remember['until']);
}

function assertText(field: string, value: unknown): void {
  if (typeof value !== 'string') throw wrong(field, value, 'a string');
}

function assertOptionalText(field: string, value: unknown): void {
  if (value !== undefined) assertText(field, value);
}

function assertObject(
  field: string,
  value: unknown,
): asserts value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw wrong(field, value, 'an object');
}

function wrong(field: string, value: unknown, type: string): AppError {
  const problem = `${field} is ${nameOf(value)}; it must be ${type}.`;
  return new AppError('USAGE', { problem, field });
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
