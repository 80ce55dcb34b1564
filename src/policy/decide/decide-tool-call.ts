import type { Approval } from '../../contract/approval.ts';
import type { Command, Operation, Tier } from '../../contract/permissions/operation.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { denialOf, gatesOf, hookDenies, hookSentence } from '../limits/denials.ts';
import { decideByRules } from '../rules/rule.ts';
import { ruleCallOf } from '../rules/rule-call.ts';
import { allow, byStricterRules, type Decision, firstDenial } from './decision.ts';
import { type TableAnswer, table, tiersOf } from './table.ts';
import type { ToolCallFacts } from './tool-call-facts.ts';

/** Decides one tool call: steps 1 to 5. Answering an ask is step 6. */
export const decideToolCall = (operation: Operation, facts: ToolCallFacts): Decision =>
  byStricterRules(facts, (known) => decideBy(operation, known));

/** The order is the policy: after a step has decided, later steps are not consulted. */
function decideBy(operation: Operation, facts: ToolCallFacts): Decision {
  // No grant, rule or gate applies to a question.
  if (operation.isQuestion) return firstDenial([hookDenies], facts) ?? MAY_ASK;
  return (
    denialOf(operation, facts) ??
    forcedAsk(operation, facts) ??
    decideByRules(
      facts.rules,
      () => ruleCallOf(operation, facts),
      () => questionOf(operation, facts),
    ) ??
    byGates(operation, facts) ??
    byTable(operation, facts)
  );
}

const MAY_ASK = allow(5, 'ask_person', 'A capsule may always ask the person.');

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

/** What is known about a call that was asked before. */
interface AskedBefore {
  readonly facts: Asker;
  /** A file that the operation changes or names, if it changed since then. */
  readonly changed: string | undefined;
  /** The question, if it is answered or only a person may answer it. */
  readonly before: Pick<Approval, 'kind' | 'question' | 'why' | 'isForced'> | undefined;
}

/** A changed file forces a question, and an allow does not replace a question that waits for a person or was answered. */
export function decideAgain(
  decision: Decision,
  operation: Operation,
  { facts, changed, before }: AskedBefore,
): Decision {
  if (decision.kind === 'deny') return decision;
  if (changed !== undefined) {
    const sentence = `"${changed}" changed after this was asked before.`;
    return ask({ step: 2, rule: 'file_changed', sentence, forced: true }, operation, facts);
  }
  if (decision.kind === 'ask' || before === undefined) return decision;
  const { kind, question, why: sentence, isForced: forced } = before;
  const rule = kind === 'changed_file' ? 'file_changed' : 'asked_before';
  return { kind: 'ask', step: 2, rule, sentence, question, forced };
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
  return allow(4, 'gate_allow', sentence);
}

/** Step 5. The one spend question of a run is asked elsewhere; here, spending is only a reason to ask. */
function byTable(operation: Operation, facts: ToolCallFacts): Decision {
  const row = table.find((one) => one.applies(operation, facts));
  const tiers = tiersOf(operation, facts);
  const answers = tiers.map((tier) => answerFor(tier, row?.answers, facts));
  const { id = 'anything_else', why = '' } = row ?? {};
  const sentence = typeof why === 'string' ? why : why(facts);
  return answers.includes('ask')
    ? ask({ step: 5, rule: id, sentence }, operation, facts)
    : allow(5, id, sentence);
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
  readonly step: 2 | 4 | 5;
  readonly rule: string;
  readonly sentence: string;
  readonly forced?: boolean;
}

/** Whose operation it is, and the files that it changes. */
type Asker = Pick<ToolCallFacts, 'capsuleId' | 'paths'>;

const ask = ({ forced = false, ...about }: About, operation: Operation, by: Asker): Decision => ({
  kind: 'ask',
  ...about,
  question: questionOf(operation, by),
  forced,
});

const questionOf = (operation: Operation, { capsuleId = 'this capsule', paths }: Asker): string =>
  `Allow ${capsuleId} to ${requestOf(operation, paths)}?`;

function requestOf(
  { name, command, network, url, target, paths }: Operation,
  found: Asker['paths'],
): string {
  if (command) return commandRequest(command.kind, target, network);
  if (url) return `${target === url.href ? 'fetch' : 'send'} ${target}`;
  const shown = escapeText(target);
  if (paths.every(({ access }) => access === 'read')) return `read ${shown}`;
  const [, verb = ''] = name.split('.');
  const isMoving = ['rename', 'move', 'copy', 'delete'].includes(verb);
  const isNew = found.every(({ state }) => state === 'absent');
  return `${isMoving ? verb : isNew ? 'create' : 'change'} ${shown}`;
}

/** A command with network is named by what it may send: its words say less. */
function commandRequest(
  kind: Command['kind'],
  target: string,
  network: Operation['network'],
): string {
  const hosts = network?.map(({ host }) => host).join(', ');
  const sends = network ? ` that may send what it reads to ${hosts}` : '';
  if (kind === 'python') return `run Python code${sends}`;
  if (kind === 'shell')
    return `run ${network ? `a shell command${sends}` : 'in a shell'}: ${target}`;
  return network ? `run a program${sends}: ${target}` : `run ${target}`;
}
