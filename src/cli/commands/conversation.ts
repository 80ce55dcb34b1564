import { usage } from '../../contract/usage.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import type { Opening } from '../menu/opening.ts';
import { standard, textOption } from '../options/standard-options.ts';
import { isPlainTerminal } from '../run/show-options.ts';
import { shortFolder } from '../text/short-folder.ts';
import { shortId } from '../text/short-id.ts';
import { inCapstan } from '../with-capstan.ts';
import { sessionOf } from './run.ts';

/** `capstan` at a terminal, without a command. It has no name, so it is not in the table of commands. */
export const conversation: CommandDefinition = {
  name: '',
  summary: 'Open a conversation in this folder',
  options: {
    ...standard.workspace,
    '-c, --continue': 'continue the newest session of the folder',
    '--session <session>': 'continue this session, in its folder',
    ...standard.provider,
    ...standard.model,
  },
  examples: ['capstan', 'capstan --continue', 'capstan --workspace ~/shop --provider ollama'],
  async run(args, io) {
    const isBare = Object.keys(args.options).length === 0;
    const { opening, at } = isBare
      ? { opening: { settings: {}, sessionId: undefined }, at: io }
      : await openingOf(args, io);
    // Without redrawing for screen readers, and for terminals that can't.
    if (isPlainTerminal(io))
      return (await import('../menu/open-plain-menu.ts')).openPlainMenu(at, opening);
    const { loadInk } = await import('../menu/terminal/load-ink.ts');
    const [{ openProgram }] = await Promise.all([
      import('../menu/program/open-program.ts'),
      loadInk(),
    ]);
    return openProgram(at, opening);
  },
};

/** Checks the flags, and finds the session and the folder. @throws AppError `USAGE`; `SESSION_UNKNOWN`; `NO_SESSION`. */
async function openingOf(args: CommandArguments, io: CommandIo) {
  const { provider, model, workspace } = args.options;
  const session = sessionOf(args);
  const settings = { provider: textOption(provider), model: textOption(model) };
  const folder = textOption(workspace);
  const { environment } = folder === undefined ? io : inFolder(io, folder);
  return inCapstan(args, { ...io, environment }, async ({ capstan }) => {
    const status = await capstan.status.get({ ...settings, workspace: folder });
    const opening: Opening = { settings, sessionId: undefined, calledIn: io.cwd };
    if (session === undefined)
      return { opening, at: folder === undefined ? io : inFolder(io, status.workspace) };
    const { id, runs } = await capstan.sessions.get(session);
    const own = runs.at(-1)?.workspace ?? status.workspace;
    const place = shortFolder(own, environment);
    if (folder !== undefined && own !== status.workspace)
      throw usage(`Session ${shortId(id)} is in ${place}. Leave out --workspace.`);
    return { opening: { ...opening, sessionId: id }, at: inFolder(io, own) };
  });
}

const inFolder = (io: CommandIo, cwd: string): CommandIo => ({
  ...io,
  cwd,
  environment: { ...io.environment, CAPSTAN_WORKSPACE: cwd },
});
