import { toolWords } from '../../app/reports/tool-words.ts';
import { printable } from '../../contract/text/printable.ts';

/**
 * An operation of the journal in words, escaped: `run npm publish`, and that it was not done: `npm publish was not run`.
 *
 * @param operation `terminal.write`, `file_io.edit`, `http_api.POST`
 */
export function operationWords(operation: string, target: string) {
  const words = operation === 'chat' ? MODEL : toolWords(operation);
  if (words === undefined) {
    const named = printable(`${operation} ${target}`.trim(), MAX_TARGET_CHARS);
    return { request: named, undone: `${named} was refused` };
  }
  const { does, done, object = target } = words;
  const shown = printable(object, MAX_TARGET_CHARS);
  return { request: `${printable(does)} ${shown}`, undone: `${shown} was not ${done}` };
}

const MODEL = { does: 'ask', done: 'asked', object: undefined } as const;

const MAX_TARGET_CHARS = 120;
