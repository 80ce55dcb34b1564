import { tryOr } from '../platform/try-or.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The values of the variables `OTEL_*`. */
export interface OtelVariables {
  /** The complete URL for traces; undefined: none are sent. */
  readonly endpoint: URL | undefined;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the process, with `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** Whether content is sent: messages of models, arguments and results of tools. */
  readonly withContent: boolean;
  /** Why nothing is sent although an endpoint is set. */
  readonly problem: string | undefined;
}

/** Reads the standard variables. Those for traces take precedence over those for all signals. */
export function readOtelVariables(environment: Environment): OtelVariables {
  const read = (name: string) => environment[name]?.trim() || undefined;
  const { endpoint, problem } = endpointOf(read);
  const headers = pairsOf(
    read('OTEL_EXPORTER_OTLP_TRACES_HEADERS') ?? read('OTEL_EXPORTER_OTLP_HEADERS'),
  );
  const resource = pairsOf(read('OTEL_RESOURCE_ATTRIBUTES'));
  const service = read('OTEL_SERVICE_NAME') ?? resource['service.name'] ?? 'capstan';
  return {
    endpoint,
    headers,
    resource: { ...resource, 'service.name': service },
    withContent: isTrue(read('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT')),
    problem: problem ?? headerProblem(headers),
  };
}

type Read = (name: string) => string | undefined;

function endpointOf(read: Read): Pick<OtelVariables, 'endpoint' | 'problem'> {
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const general = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const none = { endpoint: undefined, problem: undefined };
  const exporter = read('OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (isTrue(read('OTEL_SDK_DISABLED')) || !exporter.split(',').includes('otlp')) return none;
  if (own === undefined && general === undefined) return none;
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const text = own ?? `${general?.replace(/\/+$/, '')}/v1/traces`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return { ...none, problem: `${name} must be an http or https URL` };
  const protocol =
    read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc')
    return { ...none, problem: 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc; only http/json is supported' };
  return { endpoint: url, problem: undefined };
}

const isTrue = (text: string | undefined): boolean => text?.toLowerCase() === 'true';

/** `a=1,b=2`, each part percent-encoded. Other parts are ignored. */
function pairsOf(list = ''): Record<string, string> {
  const pairs = list.split(',').flatMap((part) => {
    const at = part.indexOf('=');
    const name = decoded(part.slice(0, Math.max(at, 0)).trim());
    return at === -1 || name === '' ? [] : [[name, decoded(part.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

const decoded = (text: string): string => tryOr(() => decodeURIComponent(text), text);

/** The value of a header may be a secret: it is not shown. */
function headerProblem(headers: OtelVariables['headers']): string | undefined {
  const wrong = Object.entries(headers).find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  );
  return wrong && `OTEL_EXPORTER_OTLP_HEADERS has an invalid header ${JSON.stringify(wrong[0])}`;
}

/** The values of headers, which may be secrets, decoded and as written. */
export function otelSecrets(environment: Environment): string[] {
  const lists = ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'];
  return lists.flatMap((name) => {
    const list = environment[name] ?? '';
    const raw = list.split(',').map((part) => part.slice(part.indexOf('=') + 1).trim());
    const values = [...raw, ...Object.values(pairsOf(list))];
    return [
      ...values,
      ...values.map((value) => value.replace(/^(?:Basic|Bearer)(?:\s|%20)+/i, '')),
    ];
  });
}
