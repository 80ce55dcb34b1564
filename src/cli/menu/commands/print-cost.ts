import type { MenuContext } from '../menu-context.ts';
import { costLine, todayLine } from './cost-line.ts';

/** Prints what the runs of the conversation cost, and today against the budget of a day. */
export async function printCost(context: MenuContext): Promise<void> {
  const { capstan, conversation, workspace, print, frame } = context;
  const { separator } = frame().symbols;
  const session = conversation.sessionId();
  const runs = session === undefined ? [] : (await capstan.sessions.get(session)).runs;
  const reports = await Promise.all(runs.map(({ id }) => capstan.costs.report({ run: id })));
  const total = reports.map((one) => one.total).reduce(sumOf, nothing);
  const [today, settings] = await Promise.all([
    capstan.costs.report({ by: 'day', since: startOfDay(new Date()) }),
    capstan.settings.get({ workspace }),
  ]);
  const budget = settings.values.find(({ name }) => name === 'CAPSTAN_BUDGET_DAY_USD')?.value;
  const limit = budget === undefined || budget === null ? null : Number(budget);
  print(`  This conversation: ${costLine(total, separator)}`);
  print(`  ${todayLine(today.total.costMicroUsd / 1e6, limit)}${separator}more: capstan runs cost`);
}

const nothing = {
  costMicroUsd: 0,
  estimatedMicroUsd: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
};

const sumOf = (a: typeof nothing, b: typeof nothing): typeof nothing => ({
  costMicroUsd: a.costMicroUsd + b.costMicroUsd,
  estimatedMicroUsd: a.estimatedMicroUsd + b.estimatedMicroUsd,
  inputTokens: a.inputTokens + b.inputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
});

/** The budget of a day begins at midnight of this machine. */
const startOfDay = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate());
