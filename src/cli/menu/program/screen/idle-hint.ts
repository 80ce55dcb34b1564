import type { SettingsOverrides } from '../../../../app/context/open-context.ts';
import type { Capstan } from '../../../../app/open-capstan.ts';
import { escapeText } from '../../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../../command.ts';
import { formatCost } from '../../../text/format.ts';
import { shortFolder } from '../../../text/short-folder.ts';
import type { Symbols } from '../../terminal/symbols.ts';
import { textWidth } from '../../terminal/text-width.ts';
import { newestResumable } from '../runs/newest-resumable.ts';

/** The facts of the idle hint. Unknown ones are omitted. */
export interface IdleFacts {
  readonly folder: string;
  readonly model?: string;
  readonly sandbox?: string;
  /** `$0.14 of $10 today` */
  readonly spent?: string;
  /** Number of open questions of all runs. */
  readonly waiting?: number;
  /** `/resume` continues a parked run of the session; the next line does not. */
  readonly hasParked?: boolean;
  /** There is no model: only explicit instructions work. */
  readonly isOffline?: boolean;
}

const MENU = '/ menu';

/**
 * `~/shop · claude-sonnet-5 · sandbox A · $0.14 of $10 today · / menu · ? keys`
 *
 * @param width In columns. The last facts are left out where they have no room, with a parked run the folder and the menu
 *   first; the other keys stay.
 */
export function idleHint(facts: IdleFacts, { separator }: Symbols, width: number): string {
  const { folder, model, sandbox, spent, waiting = 0, hasParked } = facts;
  const words = waiting === 1 ? '1 question: /approvals' : `${waiting} questions: /approvals`;
  const open = [...(hasParked ? ['parked: /resume'] : []), ...(waiting > 0 ? [words] : [])];
  const all = [folder, model, sandbox, spent, ...open, MENU, '? keys'];
  const least = hasParked ? [folder, MENU, spent, model, sandbox] : [spent, model, folder, sandbox];
  let parts = all.filter((part) => part !== undefined);
  for (const left of least)
    if (textWidth(parts.join(separator)) > width) parts = parts.filter((part) => part !== left);
  return parts.join(separator);
}

/** Reads the facts of the idle hint: of the session that the next line belongs to, and its settings. */
export async function readIdleFacts(
  { status, sessions }: Pick<Capstan, 'status' | 'sessions'>,
  conversation: { sessionId(): string | undefined; settings(): SettingsOverrides },
  { environment }: Pick<CommandIo, 'environment'>,
): Promise<IdleFacts> {
  const session = conversation.sessionId();
  const { runs } = session === undefined ? { runs: [] } : await sessions.get(session);
  const { workspace, provider, models, isolation, ...money } = await status.get(
    conversation.settings(),
  );
  const { spentTodayUsd, dayBudgetUsd, openQuestions } = money;
  const { level } = isolation;
  const limit = Number.isInteger(dayBudgetUsd) ? `$${dayBudgetUsd}` : formatCost(dayBudgetUsd);
  return {
    folder: shortFolder(workspace, environment),
    model: models ? escapeText(models.balanced) : provider.name,
    sandbox: level === 'none' ? 'no sandbox' : `sandbox ${level}`,
    ...(spentTodayUsd > 0 ? { spent: `${formatCost(spentTodayUsd)} of ${limit} today` } : {}),
    waiting: openQuestions,
    hasParked: newestResumable(runs)?.status === 'parked',
    isOffline: models === null,
  };
}
