import { bytes, count, path, proxyUrl, seconds, words } from '../kinds.ts';
import { larger, listed, optional, setting, smaller } from '../setting.ts';

export const timeSettings = {
  CAPSTAN_RUN_TIMEOUT_SEC: optional({
    field: 'runTimeoutMs',
    summary: 'Time limit of a run, without waiting for people. Default: no limit.',
    kind: seconds({ min: 0.1, max: 1_209_600 }),
    yaml: 'timeout.run_sec',
    option: 'timeout',
    project: smaller,
  }),
  CAPSTAN_CAPSULE_TIMEOUT_SEC: setting({
    field: 'capsuleTimeoutMs',
    summary:
      'Time limit of one attempt of a capsule, without waiting for people, tools and models.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '300',
    yaml: 'timeout.capsule_sec',
    project: smaller,
  }),
  CAPSTAN_TOOL_TIMEOUT_SEC: setting({
    field: 'toolTimeoutMs',
    summary: 'Time limit of one tool call.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '60',
    yaml: 'timeout.tool_sec',
    project: smaller,
  }),
  CAPSTAN_MODEL_TIMEOUT_SEC: setting({
    field: 'modelTimeoutMs',
    summary: 'Time limit of one try of a model call; a call that times out is tried once more.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '120',
    yaml: 'timeout.model_sec',
    project: smaller,
  }),
  CAPSTAN_MODEL_RETRY_SEC: setting({
    field: 'modelRetryMs',
    summary:
      'How long a model call is tried again after a rate limit, a failure of the vendor (5xx) or a lost connection. 0: not at all.',
    kind: seconds({ min: 0, max: 3_600 }),
    fallback: '60',
    yaml: 'timeout.model_retry_sec',
    project: smaller,
  }),
};

const limit = <const F extends string>(field: F, { summary, fallback, max, yaml }: Limit) =>
  setting({ field, summary, kind: count({ min: 1, max }), fallback, yaml, project: smaller });

interface Limit {
  readonly summary: string;
  readonly fallback: string;
  readonly max: number;
  readonly yaml: string;
}

export const limitSettings = {
  CAPSTAN_MAX_SUBTASKS: limit('maxSubtasks', {
    summary: 'Subtasks in one phase of a plan.',
    fallback: '20',
    max: 200,
    yaml: 'max.subtasks',
  }),
  CAPSTAN_MAX_ATTEMPTS: limit('maxAttempts', {
    summary: 'Attempts at one subtask.',
    fallback: '2',
    max: 10,
    yaml: 'max.attempts',
  }),
  CAPSTAN_MAX_INTENTS: limit('maxIntents', {
    summary: 'Tool and model calls of one attempt.',
    fallback: '400',
    max: 10_000,
    yaml: 'max.intents',
  }),
  CAPSTAN_MAX_CAPSULES: limit('maxCapsules', {
    summary: 'Capsules that one run may use.',
    fallback: '20',
    max: 200,
    yaml: 'max.capsules',
  }),
  CAPSTAN_CONCURRENCY: limit('concurrency', {
    summary: 'Subtasks that run at the same time.',
    fallback: '4',
    max: 64,
    yaml: 'concurrency',
  }),
  CAPSTAN_SESSION_TOKENS: setting({
    field: 'sessionTokens',
    summary:
      'Tokens of the earlier tasks and answers of a session that a further task gets as context.',
    kind: count({ min: 500, max: 100_000 }),
    fallback: '8000',
    yaml: 'session_tokens',
    project: smaller,
  }),
  CAPSTAN_LINE_BYTES: setting({
    field: 'lineBytes',
    summary: 'The longest line that a capsule may send.',
    kind: bytes({ min: 1_024, max: 64 * 1024 ** 2 }),
    fallback: '4 MiB',
    yaml: 'line_bytes',
    project: smaller,
  }),
  CAPSTAN_BREAKER_FAILURES: limit('breaker.failures', {
    summary: 'Failures of a provider in a row after which it is paused.',
    fallback: '5',
    max: 100,
    yaml: 'breaker.failures',
  }),
  CAPSTAN_BREAKER_REST_SEC: setting({
    field: 'breaker.restMs',
    summary: 'How long a failing provider is paused.',
    kind: seconds({ min: 0.1, max: 86_400 }),
    fallback: '30',
    yaml: 'breaker.rest_sec',
    project: larger,
  }),
};

const proxy = <const F extends string>(
  field: F,
  { what, yaml, alias }: Record<'what' | 'yaml' | 'alias', string>,
) =>
  optional({
    field,
    summary: `The proxy for ${what} addresses. It is never passed to a capsule.`,
    kind: proxyUrl,
    yaml,
    aliases: [alias],
  });

export const networkSettings = {
  HTTP_PROXY: proxy('network.httpProxy', { what: 'http', yaml: 'proxy.http', alias: 'http_proxy' }),
  HTTPS_PROXY: proxy('network.httpsProxy', {
    what: 'https',
    yaml: 'proxy.https',
    alias: 'https_proxy',
  }),
  NO_PROXY: listed({
    field: 'network.noProxy',
    summary: 'Hosts that are reached without the proxy.',
    kind: words,
    yaml: 'proxy.except',
    aliases: ['no_proxy'],
  }),
  NODE_EXTRA_CA_CERTS: optional({
    field: 'network.extraCaCerts',
    summary: 'A PEM file of additional certificate authorities to trust.',
    kind: path,
    yaml: 'proxy.ca_certs',
  }),
};
