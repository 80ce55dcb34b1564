export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** One span of a trace. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Undefined: it is the root. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** `client`: a request to another service. */
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  /** Undefined ones are omitted. */
  readonly attributes: Attributes;
  /** The error code; undefined if there was no error. */
  readonly error: string | undefined;
}

const kinds = { internal: 1, client: 3 } as const;
const ERROR = 2;

/** Spans as a request of OTLP/HTTP in JSON. */
export const otlpDocument = (
  spans: readonly Span[],
  about: {
    readonly resource: Readonly<Record<string, string>>;
    /** Of Capstan. */
    readonly version: string;
  },
) => ({
  resourceSpans: [
    {
      resource: {
        attributes: attributesOf({ ...about.resource, 'service.version': about.version }),
      },
      scopeSpans: [
        { scope: { name: 'capstan', version: about.version }, spans: spans.map(spanOf) },
      ],
    },
  ],
});

const spanOf = ({ kind, startMs, endMs, attributes, error, ...rest }: Span) => ({
  ...rest,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
  attributes: attributesOf({ ...attributes, 'error.type': error }),
  status: error === undefined ? {} : { code: ERROR },
});

const nanoseconds = (ms: number): string => `${BigInt(ms) * 1_000_000n}`;

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );

function anyValue(value: AttributeValue): Readonly<Record<string, unknown>> {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.map(anyValue) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
