import { main as plan } from '../app/plan-first-program.ts';
import { main as runs } from '../app/run-program.ts';
import { main as answers } from '../approvals/answer-program.ts';
import { main as race } from '../money/race-program.ts';
import { main as events } from '../web/event-writer-program.ts';

/** The processes of tests beside Capstan's own, in one bundle. Each returns its exit code. */
const programs = { answers, events, plan, race, runs };

export type ProgramName = keyof typeof programs;

/** What the launcher calls. */
export const main = ([name, ...args]: readonly string[]): Promise<number> =>
  programs[name as ProgramName](args);
