/** How a document is requested: best format first, with fallbacks for servers that reject it. */
export const formats = ['strict', 'schema', 'object', 'words'] as const;
export type Format = (typeof formats)[number];

/** The request features that a server accepts. */
export interface Dialect {
  readonly maxTokens: 'max_completion_tokens' | 'max_tokens';
  readonly format: Format;
  /** `none`: sent with tools, because some models accept tools only without reasoning. `left_out`: not accepted at all. */
  readonly effort: 'as_set' | 'none' | 'left_out';
  /** Streaming with usage in the last event, without usage, or none. */
  readonly stream: 'with_usage' | 'plain' | 'none';
  /** How reasoning is sent back with tool calls: as received, always (even if empty), or never. */
  readonly thoughts: 'as_given' | 'always' | 'never';
}

/** The dialect before a server has rejected anything. */
export const firstDialect = (isOpenai: boolean): Dialect => ({
  maxTokens: isOpenai ? 'max_completion_tokens' : 'max_tokens',
  format: 'strict',
  effort: 'as_set',
  stream: 'with_usage',
  thoughts: 'as_given',
});

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

/** The dialect to try next after a rejection; undefined if the rejection has another cause. */
export function relaxed(refused: Refused): Dialect | undefined {
  for (const adapt of [effort, thoughts, stream, maxTokens, format]) {
    const change = adapt(refused);
    if (change) return { ...refused.dialect, ...change };
  }
  return undefined;
}
