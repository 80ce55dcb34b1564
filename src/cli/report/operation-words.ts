import { toolWords } from '../../app/reports/tool-words.ts';
import { firstLine } from '../../contract/text/first-line.ts';
import { printable } from '../../contract/text/printable.ts';

/** Describes an operation on its target, for people. */
interface Words {
  /** `run npm publish` */
  readonly request: string;
  /** `npm publish was not run` */
  readonly undone: string;
}

/**
 * An operation of the journal in words, escaped.
 *
 * @param operation `terminal.write`, `file_io.edit`, `http_api.POST`
 */
export function operationWords(operation: string, target: string): Words {
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
