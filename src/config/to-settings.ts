import { expandPath } from './places.ts';
import type { SettingValues } from './setting-table.ts';
import type { Places, Settings } from './settings.ts';

interface Surroundings {
  readonly places: Places;
  readonly workspace: string;
  readonly home: string;
  readonly runBudgetSetByPerson: boolean;
}

/** From names that people write to the product's own words. */
export function toSettings(values: SettingValues, around: Surroundings): Settings {
  const { places, workspace, home } = around;
  const absolute = (paths: readonly string[] | undefined) =>
    (paths ?? []).map((path) => expandPath(path, workspace, home));
  return {
    workspace,
    places,
    logLevel: values.CAPSTAN_LOG_LEVEL,
    ...modelPart(values),
    ...consentPart(values, around.runBudgetSetByPerson),
    ...limitPart(values),
    isolation: values.CAPSTAN_ISOLATION,
    sandboxRead: absolute(values.CAPSTAN_SANDBOX_READ),
    hosts: values.CAPSTAN_HOSTS ?? [],
    privateOrigins: values.CAPSTAN_PRIVATE_ORIGINS ?? [],
    openPaths: absolute(values.CAPSTAN_OPEN_PATHS),
    network: {
      httpProxy: values.HTTP_PROXY,
      httpsProxy: values.HTTPS_PROXY,
      noProxy: values.NO_PROXY ?? [],
      extraCaCerts: values.NODE_EXTRA_CA_CERTS,
    },
    retention: {
      keepMs: values.CAPSTAN_RUNS_KEEP_DAYS,
      keepBytes: values.CAPSTAN_RUNS_KEEP_BYTES,
    },
    undoBytes: values.CAPSTAN_UNDO_MB * 1024 ** 2,
    servePort: values.CAPSTAN_SERVE_PORT,
  };
}

const modelPart = (values: SettingValues) => ({
  provider: values.CAPSTAN_PROVIDER,
  baseUrl: values.CAPSTAN_BASE_URL,
  baseUrls: {
    openai: values.OPENAI_BASE_URL,
    anthropic: values.ANTHROPIC_BASE_URL,
    gemini: values.GEMINI_BASE_URL,
    ollama: values.OLLAMA_BASE_URL,
  },
  keys: {
    openai: values.OPENAI_API_KEY,
    anthropic: values.ANTHROPIC_API_KEY,
    gemini: values.GEMINI_API_KEY,
  },
  openaiOrganization: values.OPENAI_ORG_ID,
  models: {
    fast: values.CAPSTAN_MODEL_FAST,
    balanced: values.CAPSTAN_MODEL_BALANCED,
    best: values.CAPSTAN_MODEL_BEST,
  },
  modelFallback: (values.CAPSTAN_MODEL_FALLBACK ?? []).map(toFallback),
  embedder: values.CAPSTAN_EMBEDDER,
  modelDir: values.CAPSTAN_MODEL_DIR,
  route: {
    take: values.CAPSTAN_ROUTE_TAKE,
    create: values.CAPSTAN_ROUTE_CREATE,
    judge: values.CAPSTAN_ROUTE_JUDGE,
  },
});

function toFallback(written: string): Settings['modelFallback'][number] {
  const colon = written.indexOf(':');
  const provider = written.slice(0, colon) as Settings['modelFallback'][number]['provider'];
  return { provider, model: written.slice(colon + 1) };
}

const consentPart = (values: SettingValues, runMicroUsdSetByPerson: boolean) => ({
  gates: {
    create: values.CAPSTAN_CREATE_GATE,
    spend: values.CAPSTAN_SPEND_GATE,
    write: values.CAPSTAN_WRITE_GATE,
    execute: values.CAPSTAN_EXECUTE_GATE,
  },
  approveMode: values.CAPSTAN_APPROVE_MODE,
  approvalDeadlineMs: values.CAPSTAN_APPROVAL_DEADLINE_SEC,
  budget: {
    runMicroUsd: values.CAPSTAN_BUDGET_RUN_USD,
    runMicroUsdSetByPerson,
    dayMicroUsd: values.CAPSTAN_BUDGET_DAY_USD,
    runTokens: values.CAPSTAN_BUDGET_RUN_TOKENS,
  },
});

const limitPart = (values: SettingValues) => ({
  runTimeoutMs: values.CAPSTAN_RUN_TIMEOUT_SEC,
  capsuleTimeoutMs: values.CAPSTAN_CAPSULE_TIMEOUT_SEC,
  toolTimeoutMs: values.CAPSTAN_TOOL_TIMEOUT_SEC,
  modelReasoning: values.CAPSTAN_MODEL_REASONING,
  modelTimeoutMs: values.CAPSTAN_MODEL_TIMEOUT_SEC,
  modelRetryMs: values.CAPSTAN_MODEL_RETRY_SEC,
  maxSubtasks: values.CAPSTAN_MAX_SUBTASKS,
  maxAttempts: values.CAPSTAN_MAX_ATTEMPTS,
  maxIntents: values.CAPSTAN_MAX_INTENTS,
  maxCapsules: values.CAPSTAN_MAX_CAPSULES,
  concurrency: values.CAPSTAN_CONCURRENCY,
  sessionTokens: values.CAPSTAN_SESSION_TOKENS,
  lineBytes: values.CAPSTAN_LINE_BYTES,
  breaker: {
    failures: values.CAPSTAN_BREAKER_FAILURES,
    restMs: values.CAPSTAN_BREAKER_REST_SEC,
  },
});
