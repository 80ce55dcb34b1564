import type { MenuContext } from '../menu-context.ts';
import { costLine, todayLine } from './cost-line.ts';

/** Prints what the runs of the conversation cost, and today against the budget of a day. */
export async function printCost(context: MenuContext): Promise<void> {
  const { capstan, conversation, workspace, print, frame } = context;
  const { separator } = frame().symbols;
  const session = conversation.sessionId();
  const runs = session === undefined ? [] : (await capstan.sessions.get(session)).runs;
  const reports = await Promise.all(runs.map(({ id }) => capstan.costs.report({ run: id })));
  const total = sumOf(reports.map((one) => one.total));
  const [today, settings] = await Promise.all([
    capstan.costs.report({ by: 'day', since: startOfDay(new Date()) }),
    capstan.settings.get({ workspace }),
  ]);
  const budget = settings.values.find(({ name }) => name === 'CAPSTAN_BUDGET_DAY_USD')?.value;
  const limit = budget === undefined || budget === null ? null : Number(budget);
  print(`  This conversation: ${costLine(total, separator)}`);
  print(`  ${todayLine(today.total.costMicroUsd / 1e6, limit)}${separator}more: capstan runs cost`);
}

const figures = [
  'costMicroUsd',
  'estimatedMicroUsd',
  'inputTokens',
  'cachedInputTokens',
  'outputTokens',
] as const;

type Figures = Readonly<Record<(typeof figures)[number], number>>;

const sumOf = (rows: readonly Figures[]): Figures =>
  Object.fromEntries(
    figures.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as Figures;

/** The budget of a day begins at midnight of this machine. */
const startOfDay = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate());
