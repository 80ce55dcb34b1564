import { isatty } from 'node:tty';
import { failedWith, messageOf } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { createDevSession, type DevRun, type DevSession } from '../author/dev-session.ts';
import { findAuthored } from '../author/find-authored.ts';
import { trialOptions, withAuthor } from '../author/open-author.ts';
import { doubtsOf, showDifference, summaryOf } from '../author/show-difference.ts';
import { trialDocument } from '../author/trial-document.ts';
import { watchFolders } from '../author/watch-folders.ts';
import type { CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { createStyle, type Style } from '../style.ts';
import { type CapsulesHere, jsonOption, withCapsules } from './capsules-ground.ts';

export const capsulesDev: CommandDefinition = {
  name: 'dev',
  summary: 'Do one task again at each save of a capsule, and show what the change did',
  arguments: '<id>',
  options: [
    { flags: '--task <text>', description: 'the task; it works in a copy of the workspace' },
    { flags: '--case <name>', description: 'or one of its cases' },
    { flags: '--task-kind <name>', description: 'default: the one that a run would take' },
    ...trialOptions('ask a real model where no answer is recorded'),
    jsonOption,
  ],
  examples: [
    'capstan capsules dev log-analyst --case server-errors',
    'capstan capsules dev ./agents/mine --task "Summarise notes.md" --live',
  ],
  run: withCapsules(develop),
};

async function develop(here: CapsulesHere): Promise<number> {
  const { args, io } = here;
  const capsule = await findAuthored(here);
  const style = createStyle(io.environment, isatty(1));
  const isJson = args.options['json'] === true;
  const tell = (run: DevRun) =>
    isJson ? printJson(io, documentOf(run)) : io.stdout(asText(run, style));
  return withAuthor(here, `capsules dev ${capsule.id}`, async (author) => {
    const session = createDevSession(here, author, capsule);
    const nextSave = watchFolders(session.folders);
    const { signal } = author;
    do {
      await doAgain(session, signal, { io, tell });
      if (!isJson) io.stderr(style.dim(`watching ${capsule.dir}; Ctrl-C ends it\n`));
    } while (await nextSave(signal));
    return exitCodes.completed;
  });
}

/** What can't be read or run is told: the next save may mend it. What was typed wrong, no save mends. */
async function doAgain(
  session: DevSession,
  signal: AbortSignal,
  { io, tell }: { readonly io: CommandIo; readonly tell: (run: DevRun) => void },
): Promise<void> {
  try {
    tell(await session.run());
  } catch (error) {
    if (failedWith(error, 'USAGE') && !session.hasBegun()) throw error;
    if (!signal.aborted) io.stderr(`${escapeText(messageOf(error), true)}\n`);
  }
}

function asText(run: DevRun, style: Style): string {
  const { number, overlay, result, problems, difference } = run;
  const head = `#${number} · overlay ${overlay.slice(0, 12)} · ${escapeText(summaryOf(result))}`;
  const lines = [
    ...doubtsOf(result).map((doubt) => `! ${doubt}`),
    ...(problems ?? []).map((problem) => `FAIL ${escapeText(problem)}`),
    ...(problems?.length === 0 ? ['the case holds'] : []),
  ];
  const seen = difference
    ? showDifference(difference, style)
    : `${escapeText(result.answer, true)}\n`;
  return `${style.bold(head)}\n${lines.map((line) => `${line}\n`).join('')}${seen}`;
}

const documentOf = ({ number, overlay, result, problems, difference }: DevRun) => ({
  run: number,
  overlay,
  ...trialDocument(result),
  problems: problems ?? null,
  difference: difference ?? null,
  duration_ms: result.durationMs,
});
