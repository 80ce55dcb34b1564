import { printable } from '../../contract/text/printable.ts';

/** What an operation does to its target, for people. */
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
  const [tool = '', verb = ''] = operation.split('.');
  const shown = printable(target, MAX_TARGET_CHARS);
  const words = (does: string, done: string): Words => ({
    request: `${does} ${shown}`,
    undone: `${shown} was not ${done}`,
  });
  if (tool === 'terminal') return words('run', 'run');
  if (tool === 'python_exec')
    return { request: 'run Python code', undone: 'Python code was not run' };
  if (tool === 'file_io') return words(...(fileVerbs[verb] ?? (['change', 'changed'] as const)));
  if (tool === 'sql_query')
    return verb === 'write' ? words('change', 'changed') : words('query', 'queried');
  if (tool === 'web_fetch') return words('fetch', 'fetched');
  if (tool === 'http_api') return words(`send ${printable(verb)}`.trim(), 'sent');
  if (operation === 'chat') return words('ask', 'asked');
  const named = printable(`${operation} ${target}`.trim(), MAX_TARGET_CHARS);
  return { request: named, undone: `${named} was refused` };
}

const MAX_TARGET_CHARS = 120;

const fileVerbs: Readonly<Record<string, readonly [does: string, done: string]>> = {
  list: ['list', 'listed'],
  read: ['read', 'read'],
  search: ['search', 'searched'],
  write: ['write', 'written'],
  rename: ['rename', 'renamed'],
  move: ['move', 'moved'],
  copy: ['copy', 'copied'],
  delete: ['delete', 'deleted'],
};
