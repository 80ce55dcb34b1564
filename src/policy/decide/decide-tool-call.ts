import type { Operation, Tier } from '../../contract/operation.ts';
import { denialOf, gatesOf, hookDenies, hookSentence } from '../limits/denials.ts';
import { decidingRule, ruleSentence } from '../rules/rule.ts';
import { ruleCallOf } from '../rules/rule-call.ts';
import { type Decision, stricter } from './decision.ts';
import { type TableAnswer, table, tiersOf } from './table.ts';
import type { ToolCallFacts } from './tool-call-facts.ts';

/** The order is the policy: after a step has decided, later steps are not consulted. */
const steps: readonly ((operation: Operation, facts: ToolCallFacts) => Decision | undefined)[] = [
  denialOf,
  forcedAsk,
  byRules,
  byGates,
];

/** Decides one tool call: steps 1 to 5. Answering an ask is step 6. */
export function decideToolCall(operation: Operation, facts: ToolCallFacts): Decision {
  const decision = decideBy(operation, facts);
  if (facts.currentRules === undefined) return decision;
  return stricter(decision, decideBy(operation, { ...facts, rules: facts.currentRules }));
}

function decideBy(operation: Operation, facts: ToolCallFacts): Decision {
  if (operation.isQuestion) return hookDenies(operation, facts) ?? MAY_ASK;
  for (const step of steps) {
    const decision = step(operation, facts);
    if (decision) return decision;
  }
  return byTable(operation, facts);
}

/** No grant, rule or gate applies to it. */
const MAY_ASK: Decision = {
  kind: 'allow',
  step: 5,
  rule: 'ask_person',
  sentence: 'A capsule may always ask the person.',
};

/** Step 2: only a person answers these. */
function forcedAsk(operation: Operation, facts: ToolCallFacts): Decision | undefined {
  const force = (rule: string, sentence: string) =>
    ask({ step: 2, rule, sentence, forced: true }, operation, facts);
  const changed = facts.paths.find(({ state }) => state === 'changed_since_read');
  if (changed !== undefined) {
    return force('file_changed', `"${changed.path}" changed after this run had read it.`);
  }
  if (operation.command !== undefined && facts.isolation === 'B') {
    return force(
      'isolation_b',
      'It would be executed at isolation level B, where it could change the mode, owner and times of your other files.',
    );
  }
  return facts.hook?.answer === 'ask' ? force('hook_ask', hookSentence(facts.hook)) : undefined;
}

/** The forced ask if a file that the operation changes or names changed after a person had been asked about it. */
export function askAboutChange(operation: Operation, facts: Asker, file: string): Decision {
  const sentence = `"${file}" changed after this was asked before.`;
  return ask({ step: 2, rule: 'file_changed', sentence, forced: true }, operation, facts);
}

/** Step 3: any deny, else any ask, else the first allow. */
function byRules(operation: Operation, facts: ToolCallFacts): Decision | undefined {
  const { rules = [] } = facts;
  if (rules === 'unreadable' || rules.length === 0) return undefined;
  const rule = decidingRule(rules, ruleCallOf(operation, facts));
  if (rule === undefined) return undefined;
  const sentence = ruleSentence(rule);
  const about = { step: 3, rule: rule.id, sentence } as const;
  if (rule.answer === 'deny') return { kind: 'deny', ...about, reason: 'denied' };
  return rule.answer === 'allow' ? { kind: 'allow', ...about } : ask(about, operation, facts);
}

/** Step 4: one gate set to ask is enough to ask; an allow needs the gates of all tiers. */
function byGates(operation: Operation, facts: ToolCallFacts): Decision | undefined {
  const gates = gatesOf(operation, facts);
  const asking = gates.find(({ mode }) => mode === 'ask');
  if (asking !== undefined) {
    const sentence = `${asking.setting} is set to ask.`;
    return ask({ step: 4, rule: 'gate_ask', sentence }, operation, facts);
  }
  if (gates.length === 0 || gates.some(({ mode }) => mode !== 'allow')) return undefined;
  const sentence = `${gates.map(({ setting }) => setting).join(' and ')} is set to allow.`;
  return { kind: 'allow', step: 4, rule: 'gate_allow', sentence };
}

/** Step 5. The one spend question of a run is asked elsewhere; here, spending is only a reason to ask. */
function byTable(operation: Operation, facts: ToolCallFacts): Decision {
  const row = table.find((one) => one.applies(operation, facts));
  const tiers = tiersOf(operation, facts);
  const answers = tiers.map((tier) => answerFor(tier, row?.answers, facts));
  const { id = 'anything_else', why = '' } = row ?? {};
  const sentence = typeof why === 'string' ? why : why(facts);
  const about = { step: 5, rule: id, sentence } as const;
  return answers.includes('ask') ? ask(about, operation, facts) : { kind: 'allow', ...about };
}

function answerFor(
  tier: Tier,
  answers: Readonly<Record<string, TableAnswer>> | undefined,
  { trust, isSampled = true, isSpendAgreed = false }: ToolCallFacts,
): 'allow' | 'ask' {
  if (tier === 3 && isSpendAgreed) return 'allow';
  if (tier === 3 || answers === undefined) return 'ask';
  const answer = answers[trust?.[tier] ?? 'supervised'] ?? 'ask';
  if (answer === 'one_in_ten') return isSampled ? 'ask' : 'allow';
  return answer;
}

interface About {
  readonly step: 2 | 3 | 4 | 5;
  readonly rule: string;
  readonly sentence: string;
  readonly forced?: boolean;
}

/** Whose operation it is. */
type Asker = Pick<ToolCallFacts, 'capsuleId'>;

function ask(
  { step, rule, sentence, forced = false }: About,
  operation: Operation,
  { capsuleId = 'this capsule' }: Asker,
): Decision {
  const question = `Allow ${capsuleId} to ${requestOf(operation)}?`;
  return { kind: 'ask', step, rule, question, sentence, forced };
}

function requestOf({ name, command, network, url, target, paths }: Operation): string {
  const reach = network ? `, with network to ${network.map(({ host }) => host).join(', ')}` : '';
  if (command?.kind === 'python') return `run Python code${reach}`;
  if (command?.kind === 'shell') return `run in a shell: ${target}${reach}`;
  if (command) return `run ${target}${reach}`;
  if (url) return `${target === url.href ? 'fetch' : 'send'} ${target}`;
  if (paths.every(({ access }) => access === 'read')) return `read ${target}`;
  const [, verb = ''] = name.split('.');
  return `${movingVerbs.has(verb) ? verb : 'change'} ${target}`;
}

const movingVerbs: ReadonlySet<string> = new Set(['rename', 'move', 'copy', 'delete']);
