import type { Capstan } from '../../../app/open-capstan.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../command.ts';
import { formatCost } from '../../format.ts';
import { shortFolder } from '../../text/short-folder.ts';
import type { Symbols } from '../terminal/symbols.ts';

/** What the idle hint says of this folder. What is not known yet is left out. */
export interface IdleFacts {
  readonly folder: string;
  readonly model?: string | undefined;
  readonly spent?: string | undefined;
  readonly waiting?: number | undefined;
}

/** `~/shop · claude-sonnet-5 · $0.14 of $10 today · / menu · ? keys` */
export function idleHint(
  { folder, model, spent, waiting = 0 }: IdleFacts,
  symbols: Symbols,
): string {
  const questions =
    waiting > 0
      ? [`${waiting} ${waiting === 1 ? 'question waits' : 'questions wait'}: /approvals`]
      : [];
  const facts = [folder, model, spent].filter((fact) => fact !== undefined && fact !== '');
  return [...facts, ...questions, '/ menu', '? keys'].join(symbols.separator);
}

/** Reads the facts; what fails is left out. */
export async function readIdleFacts(
  { settings, costs, approvals }: Pick<Capstan, 'settings' | 'costs' | 'approvals'>,
  { cwd, environment }: Pick<CommandIo, 'cwd' | 'environment'>,
): Promise<IdleFacts> {
  const view = await settings.get().catch(() => undefined);
  const settingOf = (name: string) =>
    view?.values.find((one) => one.name === name)?.value ?? undefined;
  const today = new Date();
  today.setUTCHours(0, 0, 0, 0);
  const report = await costs.report({ since: today }).catch(() => undefined);
  const open = await approvals.list().catch(() => []);
  const limit = settingOf('CAPSTAN_BUDGET_DAY_USD');
  const spent =
    report && report.total.costMicroUsd > 0 ? report.total.costMicroUsd / 1e6 : undefined;
  return {
    folder: shortFolder(view?.workspace ?? cwd, environment),
    model: escapeText(settingOf('CAPSTAN_MODEL_BALANCED') ?? settingOf('CAPSTAN_PROVIDER') ?? ''),
    spent:
      spent === undefined ? undefined : `${formatCost(spent)}${limit ? ` of $${limit}` : ''} today`,
    waiting: open.length,
  };
}
