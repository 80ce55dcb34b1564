/** The word for what a tool does: `file_io.edit` is `edit`. */
export function verbOf(tool: string): string {
  const [name = '', operation = ''] = tool.split('.');
  if (name === 'file_io') return reading.has(operation) ? 'read' : 'edit';
  return verbs[name] ?? 'run';
}

/** A model is asked. */
export const THINK = 'think';

const reading: ReadonlySet<string> = new Set(['list', 'read', 'search']);

const verbs: Readonly<Record<string, string>> = {
  terminal: 'run',
  python_exec: 'run',
  sql_query: 'query',
  web_fetch: 'fetch',
  http_api: 'fetch',
  ask_person: 'ask',
};
