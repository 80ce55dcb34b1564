import { writeFileSync } from 'node:fs';
import { type CaseRecord, recordPath } from '../../authoring/case-files.ts';
import type { ToldAnswer } from '../../authoring/told-before.ts';
import type { TrialStep } from '../../authoring/trial.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { overlayVersion } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CapsulesHere } from '../commands/capsules-ground.ts';
import { ownCaseFolder } from './open-author.ts';
import type { TriedCase } from './try-case.ts';

/**
 * Keeps what a model and the web answered, beside the case; of a shipped capsule in the person's own folder. Tools of the workspace are carried out each time. Where a model gave no answer,
 * what was kept before stays.
 */
export function keepRecord(
  here: CapsulesHere,
  capsule: Capsule,
  { found, result }: TriedCase,
): void {
  const { io } = here;
  if (result.steps.some(isUnanswered)) {
    io.stderr(`not recorded, since a model gave no answer: ${escapeText(found.name)}\n`);
    return;
  }
  const answers = result.answers.filter(isFromOutside);
  if (answers.length === 0) return;
  const folder = ownCaseFolder(here, capsule);
  makeFolder(folder);
  const record: CaseRecord = {
    format: 'capstan-case-record',
    version: 1,
    capsule: capsule.id,
    overlay: overlayVersion(capsule.overlay),
    models: [...new Set(answers.flatMap(modelOf))],
    recorded: new Date().toISOString(),
    answers: [...answers],
  };
  const path = recordPath(folder, found.name);
  writeFileSync(path, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  io.stderr(`recorded ${path}\n`);
}

const isUnanswered = ({ from, tool, ok }: TrialStep): boolean =>
  from === 'live' && tool === null && !ok;

const isFromOutside = ({ kind, name }: ToldAnswer): boolean =>
  kind !== 'tool' || /^(web_fetch|http_api)\b/.test(name);

function modelOf({ reply }: ToldAnswer): string[] {
  const { response } = reply as { response?: { model?: unknown } };
  return typeof response?.model === 'string' ? [response.model] : [];
}
