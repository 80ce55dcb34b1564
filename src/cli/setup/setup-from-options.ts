import type { SetupSelection } from '../../app/settings/setup/desired-settings.ts';
import type { ServedModels } from '../../app/settings/setup/list-served.ts';
import type { ModelsByHint, SetupChoice } from '../../app/settings/setup/setup-provider.ts';
import { AppError } from '../../contract/errors.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import { usage } from '../../contract/usage.ts';
import { modelHints } from '../../contract/wire/model-hints.ts';
import type { CommandIo } from '../command.ts';
import { adviseOnField } from '../errors/advise-on-field.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { isAgreed } from '../io/confirm.ts';
import { printJson } from '../io/print-json.ts';
import { readInput } from '../io/read-input.ts';
import { folderText } from '../text/short-folder.ts';
import type { CommandContext } from '../with-capstan.ts';
import { addressNotices, changeLines, checkCostWords, proposalNotices } from './setup-words.ts';

/**
 * Chooses a model from options, without a question except whether to write. Returns the exit code.
 *
 * @throws AppError `USAGE`; `PROVIDER_FAILED` if the provider refuses the key or the model; `SETTINGS_NOT_WRITTEN`.
 */
export async function setupFromOptions(context: CommandContext): Promise<number> {
  const { capstan, io, isJson, has } = context;
  const { setup } = capstan;
  if (!has('yes') && !io.isTerminal)
    throw usage('There is no terminal for questions. Use `--yes` to write without a question.');
  const selection = await adviseOnField(selectionOf(context), advice);
  const proposal = await adviseOnField(setup.propose(selection), advice);
  const shownPath = (path: string) => folderText(path, io.environment['HOME']);
  for (const { text } of proposalNotices(proposal, shownPath)) io.stderr(`note: ${text}\n`);
  const print = isJson ? io.stderr : io.stdout;
  for (const { text } of changeLines(proposal, shownPath)) print(`${text}\n`);
  const hasChanges = proposal.changes.length > 0;
  if (hasChanges && !(await isAgreed(context, 'Write this?', 'Nothing was written.')))
    return exitCodes.failed;
  await setup.write(proposal);
  const { changes: written, overrides } = proposal;
  if (isJson) printJson(io, { written, overrides });
  else print(hasChanges ? 'Written.\n' : 'Nothing to write.\n');
  return exitCodes.completed;
}

const advice = {
  provider: 'Choose one with --provider.',
  key: 'Pipe it in with --key-stdin.',
  baseUrl: 'Name it with --base-url.',
  models: 'Name one with --model.',
};

async function selectionOf(context: CommandContext): Promise<SetupSelection> {
  const { io, args, has, text } = context;
  const { setup } = context.capstan;
  const provider = String(text('provider')) as SetupChoice;
  const key = has('keyStdin') ? await readKey(io) : undefined;
  if (provider === 'none') return { provider, key };
  const given = { provider, key, baseUrl: text('baseUrl') };
  const named = namedModels(context);
  if (args.options['check'] === false) return { ...given, models: complete(named, undefined) };
  const served = await setup.models(given);
  for (const { text: line } of addressNotices(served, given.baseUrl)) io.stderr(`note: ${line}\n`);
  const models = listedModels(served, named);
  const access = { ...given, baseUrl: served.baseUrl };
  const asked = { ...access, model: models.balanced };
  io.stderr(`${checkCostWords(await setup.checkCost(asked))}\n`);
  const { problem } = await setup.check(asked);
  if (problem) throw failed(problem.message);
  return { ...access, models };
}

type Named = Partial<ModelsByHint>;

function namedModels({ text }: CommandContext): Named {
  const named = modelHints.map((hint) => [hint, text(hint) ?? text('model')] as const);
  return Object.fromEntries(named.filter(([, name]) => name !== undefined));
}

/** The named models over the proposed ones; undefined if there are none. */
function complete(named: Named, proposed: ModelsByHint | undefined): ModelsByHint | undefined {
  const any = named.balanced ?? named.best ?? named.fast;
  if (any === undefined) return proposed;
  const others = proposed ?? { fast: any, balanced: any, best: any };
  return { ...others, ...named };
}

/** @throws AppError `PROVIDER_FAILED`; `USAGE` if a model has to be named. */
function listedModels({ models, choice, problem }: ServedModels, named: Named): ModelsByHint {
  if (problem && problem.kind !== 'other') throw failed(problem.message);
  const chosen = complete(named, choice ?? undefined);
  if (chosen) return chosen;
  const count = models.length;
  const listed = count === 0 ? 'has no list of models' : `lists ${count} models`;
  throw usage(`The server ${listed}.`, 'models');
}

const failed = (message: string): AppError =>
  new AppError('PROVIDER_FAILED', {
    problem: `${withFullStop(message)} Nothing was written. To write it unchecked, add \`--no-check\`.`,
  });

const MAX_BYTES = 4_096;
const MAX_WAIT_MS = 60_000;

/** Reads a key from stdin. @throws AppError `USAGE` if there is none, it is too long or does not come within a minute. */
async function readKey(io: CommandIo): Promise<string> {
  const input = io.input ?? process.stdin;
  if (io.input === undefined && process.stdin.isTTY)
    throw wrongKey('`--key-stdin` reads a pipe. Leave it out to be asked for the key.');
  const bytes = await readInput(input, {
    maxBytes: MAX_BYTES,
    tooLong: `What came on stdin is longer than ${MAX_BYTES} bytes.`,
    timeoutMs: MAX_WAIT_MS,
    tooLate: 'No key came on stdin within 60 seconds.',
    fail: wrongKey,
  });
  const key = bytes.toString('utf8').trim();
  if (key === '') throw wrongKey('Nothing came on stdin.');
  return key;
}

const wrongKey = (problem: string) => usage(problem, 'key');
