import { basename, join } from 'node:path';
import * as z from 'zod';
import { readTextFile } from '../../config/yaml/text-file.ts';
import { writePrivateFile } from '../../platform/files/private-file.ts';
import { parseJson } from '../../platform/text/parse-json.ts';
import { overlayVersion } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { toolOf } from '../../tools/toolbox.ts';
import { RecordedAnswer } from '../trials/recorded-answers.ts';
import type { TrialResult } from '../trials/trial.ts';

/** The answers of models and of the web in a case, for replay without either. */
export const CaseRecord = z.object({
  format: z.literal('capstan-case-record'),
  version: z.literal(1),
  capsule: z.string(),
  /** SHA-256 of the overlay that it was recorded with. */
  overlay: z.string(),
  /** Models that answered. */
  models: z.array(z.string()),
  recorded: z.string(),
  answers: z.array(RecordedAnswer),
});
export type CaseRecord = z.infer<typeof CaseRecord>;

const MAX_RECORD_BYTES = 16 * 1024 * 1024;

export const recordPath = (folder: string, caseName: string): string =>
  join(folder, `${caseName}.record.json`);

/** @throws Error if the file is not a record of a case. */
export function readRecord(path: string): CaseRecord {
  const again = 'Delete it, or record it again.';
  const read = readTextFile(path, MAX_RECORD_BYTES);
  if (!read || 'problem' in read)
    throw new Error(`${basename(path)}: ${read?.problem ?? 'it no longer exists.'}`);
  const json = parseJson(read.text);
  const parsed = CaseRecord.safeParse(json);
  if (parsed.success) return parsed.data;
  const what = json === undefined ? 'JSON' : 'a record of a case';
  throw new Error(`${basename(path)} is not ${what}. ${again}`);
}

/**
 * `unanswered`: a model call failed. `failed`: the case failed, so its answers are wrong. In both, the earlier record stays.
 * `nothing`: there is nothing to record.
 */
export type KeptRecord = { readonly path: string } | 'unanswered' | 'failed' | 'nothing';

interface RecordSource {
  readonly capsule: Capsule;
  readonly caseName: string;
  readonly result: TrialResult;
  /** Unmet expectations of the case. */
  readonly problems: readonly string[];
}

/**
 * Writes the answers of models and of the web in a trial whose case passed to a record in `folder`. Tools of the workspace
 * run each time.
 */
export function keepRecord(
  folder: string,
  { capsule, caseName, result, problems }: RecordSource,
  now: Date,
): KeptRecord {
  if (result.steps.some(({ from, tool, ok }) => from === 'live' && tool === null && !ok))
    return 'unanswered';
  const answers = result.answers.filter(
    ({ kind, name }) => kind !== 'tool' || toolOf(name)?.effects === 'network',
  );
  if (answers.length === 0) return 'nothing';
  if (problems.length > 0) return 'failed';
  const record: CaseRecord = {
    format: 'capstan-case-record',
    version: 1,
    capsule: capsule.id,
    overlay: overlayVersion(capsule.overlay),
    models: [...new Set(answers.flatMap(modelOf))],
    recorded: now.toISOString(),
    answers: [...answers],
  };
  const path = recordPath(folder, caseName);
  writePrivateFile(path, `${JSON.stringify(record, undefined, 2)}\n`);
  return { path };
}

function modelOf({ reply }: RecordedAnswer): string[] {
  const { response } = reply as { response?: { model?: unknown } };
  return typeof response?.model === 'string' ? [response.model] : [];
}
