import { type Backtest, backtest } from '../../broker/rules/backtest.ts';
import { type CheckedExample, checkExamples } from '../../broker/rules/check-examples.ts';
import { loadPolicy, readPolicy } from '../../broker/rules/load-policy.ts';
import {
  openOptions,
  pathsOfCommands,
  unclearNames,
  unknownCapsules,
} from '../../policy/rules/rule-warnings.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { storesIfAny } from '../capsules/capsule-records.ts';
import type { AppContext } from '../context/open-context.ts';
import { openConfiguredApis } from '../wiring/models/open-configured-apis.ts';
import { capsuleIds } from '../wiring/registry/capsule-roots.ts';
import { type PolicyOptions, policySources } from './policy-sources.ts';

export type { CheckedExample };

/** The problems in the rules files. */
export interface RulesReport {
  /** No problem, no notice, and every example passes. */
  readonly isOk: boolean;
  readonly files: readonly string[];
  /** Changes with any rule, gate or budget. */
  readonly policyVersion: string;
  readonly rules: readonly {
    readonly id: string;
    readonly answer: string;
    readonly where: string;
    /** What an operation must match, by field. */
    readonly when: object;
  }[];
  readonly problems: readonly { readonly where: string; readonly problem: string }[];
  /** Files that can't be read at all, as sentences. */
  readonly notices: readonly string[];
  /** Unexpected consequences of valid rules, as sentences. */
  readonly warnings: readonly string[];
  readonly examples: readonly CheckedExample[];
}

/** Reads the rules files and runs the examples of every rule. */
export async function testRules(
  context: AppContext,
  options: PolicyOptions = {},
): Promise<RulesReport> {
  const { loaded, sources } = await policySources(context, options);
  const { policy, problems } = await readPolicy(sources);
  const { notices, texts, version, snapshot } = policy;
  const examples = checkExamples(texts, sources.tools);
  const hasFailed = examples.some(({ problem }) => problem !== undefined);
  return {
    isOk: problems.length === 0 && notices.length === 0 && !hasFailed,
    files: snapshot.rules.map(({ file }) => file),
    policyVersion: version,
    rules: texts.map(({ id, answer, where, when }) => ({ id, answer, where, when })),
    problems,
    notices,
    warnings: [
      ...openOptions(texts),
      ...unclearNames(texts),
      ...unknownCapsules(texts, () => capsuleIds(loaded)).map(({ problem }) => problem),
      ...pathsOfCommands(texts, programTools(), loaded.settings.gates.execute),
    ],
    examples,
  };
}

const programTools = (): readonly string[] =>
  [...toolbox.values()].flatMap(({ name, effects }) => (effects === 'process' ? [name] : []));

export interface BacktestOptions extends PolicyOptions {
  /** Intents proposed at this time or later. Default: all. */
  readonly since?: Date | undefined;
}

const NOTHING: Backtest = {
  decided: 0,
  skipped: 0,
  counts: new Map(),
  changed: [],
  changedInAll: 0,
};

/** Decides every journaled intent again, by the rules as they are now. */
export async function backtestRules(context: AppContext, options: BacktestOptions = {}) {
  const { loaded, sources } = await policySources(context, options);
  const { rules } = await loadPolicy(sources);
  const stores = await storesIfAny(context);
  if (!stores) return NOTHING;
  const { services } = await openConfiguredApis(loaded.settings, context.environment);
  const origins = new Map(services.map(({ name, origin }) => [name, origin]));
  const since = options.since && { sinceIso: options.since.toISOString() };
  return backtest(stores.db, rules, { tools: sources.tools, origins, ...since });
}
