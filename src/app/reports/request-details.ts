import { relative } from 'node:path';
import type { FileEffect } from '../../broker/intent/record.ts';
import type { RequestDetails } from '../../contract/documents/run-documents.ts';
import { AppError } from '../../contract/errors.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../coordinator/store/run-store.ts';

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
