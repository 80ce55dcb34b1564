/** How a document is asked for: the best way first, each for servers that refuse the one before. */
export const formats = ['strict', 'schema', 'object', 'words'] as const;
export type Format = (typeof formats)[number];

/** What a server turned out to take. */
export interface Dialect {
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens';
  readonly format: Format;
  /** `none`: with tools, since some models take them here only without reasoning. `left_out`: not taken at all. */
  readonly effort: 'as_set' | 'none' | 'left_out';
  /** How it can be streamed: with usage in the last event, without, or not at all. */
  readonly stream: 'with_usage' | 'plain' | 'none';
  /** How it takes its reasoning back with tool calls: as it gave it, also where there was none, or not at all. */
  readonly thoughts: 'as_given' | 'always' | 'never';
}

/** What is asked for before a server has refused anything. */
export const firstDialect = (isOpenai: boolean): Dialect => ({
  maxTokens: isOpenai ? 'max_completion_tokens' : 'max_tokens',
  format: 'strict',
  effort: 'as_set',
  stream: 'with_usage',
  thoughts: 'as_given',
});

/** What a refusal is about, and what was asked. */
interface Refused {
  readonly dialect: Dialect;
  /** The server's message. */
  readonly refusal: string;
  readonly hasDocument: boolean;
}

type Adaptation = (refused: Refused) => Partial<Dialect> | undefined;

const effort: Adaptation = ({ dialect, refusal }) => {
  if (!/reasoning_effort/.test(refusal) || dialect.effort === 'left_out') return undefined;
  const isAboutTools = /tool|function/i.test(refusal) && dialect.effort === 'as_set';
  return { effort: isAboutTools ? 'none' : 'left_out' };
};

const thoughts: Adaptation = ({ dialect, refusal }) =>
  /reasoning(?!_effort)/.test(refusal) && dialect.thoughts === 'as_given'
    ? { thoughts: /missing|must/i.test(refusal) ? 'always' : 'never' }
    : undefined;

const stream: Adaptation = ({ dialect, refusal }) => {
  if (dialect.stream === 'with_usage' && /stream_options|include_usage/.test(refusal)) {
    return { stream: 'plain' };
  }
  return dialect.stream !== 'none' && /\bstream/i.test(refusal) ? { stream: 'none' } : undefined;
};

const maxTokens: Adaptation = ({ dialect, refusal }) => {
  if (!/max_completion_tokens/.test(refusal)) return undefined;
  const isNew = dialect.maxTokens === 'max_completion_tokens';
  return { maxTokens: isNew ? 'max_tokens' : 'max_completion_tokens' };
};

const aboutFormat =
  /response.?format|json.?schema|json.?object|json.?mode|schema|structured|grammar/i;

const format: Adaptation = ({ dialect, refusal, hasDocument }) => {
  const next = formats[formats.indexOf(dialect.format) + 1];
  return hasDocument && next !== undefined && aboutFormat.test(refusal)
    ? { format: next }
    : undefined;
};

/** The dialect to try next after a refusal; undefined where the refusal is about something else. */
export function relaxed(refused: Refused): Dialect | undefined {
  for (const adapt of [effort, thoughts, stream, maxTokens, format]) {
    const change = adapt(refused);
    if (change) return { ...refused.dialect, ...change };
  }
  return undefined;
}
