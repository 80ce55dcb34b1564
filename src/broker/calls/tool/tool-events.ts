import type { IntentRecord } from '../../../contract/intent.ts';
import type { Operation } from '../../../contract/permissions/operation.ts';
import { publishedHash } from '../../../tools/files/path-state.ts';
import { aboutIntent } from '../../intent/record.ts';
import type { Performed } from '../call.ts';
import type { BrokerParts } from '../parts.ts';
import { startsProcess } from './perform-tool.ts';
import type { ToolCall, ToolOutcome } from './tool-call.ts';
import type { ToolFacts } from './tool-facts.ts';

/** Emits that a tool call was requested. */
export function announceTool({ intent, prepared: { operation }, context }: ToolCall): void {
  context.parts.events.emit({
    type: 'tool.requested',
    ...aboutIntent(intent),
    tool: operation.name,
    target: operation.target,
    ...programOf(operation),
    reason: intent.reason,
  });
}

/** Longest program of an event; the row of the intent has all of it. */
const MAX_PROGRAM_CHARS = 16 * 1024;

function programOf({ command, target }: Operation): { readonly program?: string } {
  if (command?.kind !== 'python' || command.code === target) return {};
  const { code } = command;
  if (code.length <= MAX_PROGRAM_CHARS) return { program: code };
  return { program: `${code.slice(0, MAX_PROGRAM_CHARS)}\n[cut: ${code.length} characters]` };
}

/** Emits how a tool call ended, and which files it wrote and removed. */
export function reportTool(
  { prepared: { operation }, facts, context: { parts } }: ToolCall,
  ended: IntentRecord,
  { outcome, wrote = [], removed = [], startedMs }: Performed<ToolOutcome>,
): void {
  const about = aboutIntent(ended);
  const { lines } = operation;
  const isProcess = startsProcess(operation);
  const { exit_code } = (outcome.ok ? outcome.result : {}) as { readonly exit_code?: unknown };
  parts.events.emit({
    type: 'tool.answered',
    ...about,
    tool: ended.name,
    target: ended.target,
    ...(lines !== undefined && { lines }),
    ok: outcome.ok,
    message: outcome.error?.message ?? null,
    duration_ms: Math.round(performance.now() - startedMs),
    ...(isProcess && { isolation: isolationText(parts) }),
    ...(isProcess && typeof exit_code === 'number' && { exit_code }),
  });
  for (const { path, bytes, sha256: state } of wrote) {
    const diff = shownDiff(path, facts, parts);
    const sha256 = publishedHash(state);
    parts.events.emit({ type: 'file.written', ...about, path, bytes, sha256, diff });
  }
  for (const path of removed) parts.events.emit({ type: 'file.removed', ...about, path });
}

const isolationText = ({ isolation, isolationReason }: BrokerParts): string =>
  isolationReason === undefined ? isolation : `${isolation}: ${isolationReason}`;

/** Longest diff of an event; the row of the intent has all of it. Secrets are removed before it is cut. */
const MAX_DIFF_CHARS = 16 * 1024;

function shownDiff(path: string, { effects }: ToolFacts, { redactor }: BrokerParts): string | null {
  const diff = effects.find((effect) => effect.path === path)?.diff ?? null;
  if (diff === null) return null;
  const clean = redactor.redact(diff);
  if (clean.length <= MAX_DIFF_CHARS) return clean;
  return `${clean.slice(0, MAX_DIFF_CHARS)}\n[cut: ${clean.length} characters]\n`;
}
