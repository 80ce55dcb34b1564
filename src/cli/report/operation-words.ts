import { toolWords } from '../../app/reports/tool-words.ts';
import { firstLine } from '../../contract/text/first-line.ts';
import { printable } from '../../contract/text/printable.ts';

/** An operation of the journal, such as `terminal.write`, in words, escaped: `run npm publish`, `npm publish was not run`. */
export function operationWords(operation: string, target: string) {
  const words = operation === 'chat' ? MODEL : toolWords(operation);
  if (words === undefined) {
    const named = printable(`${operation} ${target}`.trim(), MAX_TARGET_CHARS);
    return { request: named, undone: `${named} was refused` };
  }
  const { does, done, object = target } = words;
  const isCommand = /^(?:terminal|python_exec)\./.test(operation);
  const shown = printable(isCommand ? firstLine(object) : object, MAX_TARGET_CHARS);
  return { request: `${printable(does)} ${shown}`, undone: `${shown} was not ${done}` };
}

const MODEL = { does: 'ask', done: 'asked', object: undefined } as const;

const MAX_TARGET_CHARS = 120;
