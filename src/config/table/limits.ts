import { bytes, count, path, proxyUrl, seconds, words } from '../kinds.ts';
import { larger, never, optional, setting, smaller } from '../setting.ts';

export const timeSettings = {
  CAPSTAN_RUN_TIMEOUT_SEC: optional({
    summary: 'Time limit of a run, without waiting for people. Default: no limit.',
    kind: seconds({ min: 0.1, max: 1_209_600 }),
    yaml: 'timeout.run_sec',
    option: 'timeout',
    project: smaller,
  }),
  CAPSTAN_CAPSULE_TIMEOUT_SEC: setting({
    summary:
      'Time limit of one attempt of a capsule, without waiting for people, tools and models.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '300',
    yaml: 'timeout.capsule_sec',
    project: smaller,
  }),
  CAPSTAN_TOOL_TIMEOUT_SEC: setting({
    summary: 'Time limit of one tool call.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '60',
    yaml: 'timeout.tool_sec',
    project: smaller,
  }),
  CAPSTAN_MODEL_TIMEOUT_SEC: setting({
    summary: 'Time limit of one try of a model call; a call that times out is tried once more.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '120',
    yaml: 'timeout.model_sec',
    project: smaller,
  }),
  CAPSTAN_MODEL_RETRY_SEC: setting({
    summary:
      'How long a model call is tried again after a rate limit, a failure of the vendor (5xx) or a lost connection. 0: not at all.',
    kind: seconds({ min: 0, max: 3_600 }),
    fallback: '60',
    yaml: 'timeout.model_retry_sec',
    project: smaller,
  }),
};

const limit = (summary: string, fallback: string, max: number, yaml: string) =>
  setting({ summary, kind: count({ min: 1, max }), fallback, yaml, project: smaller });

export const limitSettings = {
  CAPSTAN_MAX_SUBTASKS: limit('Subtasks in one phase of a plan.', '20', 200, 'max.subtasks'),
  CAPSTAN_MAX_ATTEMPTS: limit('Attempts at one subtask.', '2', 10, 'max.attempts'),
  CAPSTAN_MAX_INTENTS: limit('Tool and model calls of one attempt.', '50', 10_000, 'max.intents'),
  CAPSTAN_MAX_CAPSULES: limit('Capsules that one run may use.', '20', 200, 'max.capsules'),
  CAPSTAN_CONCURRENCY: limit('Subtasks that run at the same time.', '4', 64, 'concurrency'),
  CAPSTAN_SESSION_TOKENS: setting({
    summary:
      'Tokens of the earlier tasks and answers of a session that a further task gets as context.',
    kind: count({ min: 500, max: 100_000 }),
    fallback: '8000',
    yaml: 'session_tokens',
    project: smaller,
  }),
  CAPSTAN_LINE_BYTES: setting({
    summary: 'The longest line that a capsule may send.',
    kind: bytes({ min: 1_024, max: 64 * 1024 ** 2 }),
    fallback: '4 MiB',
    yaml: 'line_bytes',
    project: smaller,
  }),
  CAPSTAN_BREAKER_FAILURES: limit(
    'Failures of a provider in a row after which it is paused.',
    '5',
    100,
    'breaker.failures',
  ),
  CAPSTAN_BREAKER_REST_SEC: setting({
    summary: 'How long a failing provider is paused.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '30',
    yaml: 'breaker.rest_sec',
    project: larger,
  }),
};

const proxy = (what: string, yaml: string, alias: string) =>
  optional({
    summary: `The proxy for ${what} addresses. It is never passed to a capsule.`,
    kind: proxyUrl,
    yaml,
    aliases: [alias],
    project: never,
  });

export const networkSettings = {
  HTTP_PROXY: proxy('http', 'proxy.http', 'http_proxy'),
  HTTPS_PROXY: proxy('https', 'proxy.https', 'https_proxy'),
  NO_PROXY: optional({
    summary: 'Hosts that are connected to without the proxy.',
    kind: words,
    yaml: 'proxy.except',
    aliases: ['no_proxy'],
    project: never,
  }),
  NODE_EXTRA_CA_CERTS: optional({
    summary: 'A PEM file of additional certificate authorities to trust.',
    kind: path,
    yaml: 'proxy.ca_certs',
    project: never,
  }),
};
