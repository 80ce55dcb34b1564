import { relative } from 'node:path';
import type { FileEffect } from '../../broker/intent/record.ts';
import { AppError } from '../../contract/errors.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../coordinator/store/run-store.ts';

/** One request with its content, without secrets. The keys are those of its JSON document. */
export interface RequestDetails {
  /** What the broker decided: of a chat with `messages` and `tools`. */
  readonly request: unknown;
  /** The reply; null if there is none yet. */
  readonly result: unknown;
  readonly finish_reason: string | null;
  readonly first_text_ms: number | null;
  readonly files: readonly {
    readonly path: string;
    readonly diff: string | null;
    readonly by: 'tool';
  }[];
}

/** @throws AppError `USAGE` if the run has no such request. */
export function requestDetails(
  { journal }: Pick<Stores, 'journal'>,
  run: RunRecord,
  intentId: string,
): RequestDetails {
  const intent = journal.intentsOf(run.id).find(({ id }) => id === intentId);
  if (!intent) throw new AppError('USAGE', { problem: `The run has no request ${intentId}.` });
  const outcome = (intent.outcome ?? {}) as {
    readonly response?: { readonly finish?: string; readonly first_text_ms?: number };
  };
  const { response } = outcome;
  return {
    request: intent.request,
    result:
      intent.kind === 'chat' ? (response ?? intent.outcome ?? null) : (intent.outcome ?? null),
    finish_reason: response?.finish ?? null,
    first_text_ms: response?.first_text_ms ?? null,
    files: ((intent.effects ?? []) as readonly FileEffect[])
      .filter(({ isNamed }) => isNamed !== true)
      .map(({ path, diff }) => ({ path: relative(run.workspace, path), diff, by: 'tool' })),
  };
}
