import type { Capstan } from '../../app/open-capstan.ts';
import type { CheckAccess, CheckCost } from '../../app/setup/check-model.ts';
import type { SetupSelection } from '../../app/setup/desired-settings.ts';
import type { SetupProposal } from '../../app/setup/propose-changes.ts';
import type { ModelsByHint, SetupAccess, SetupChoice } from '../../app/setup/setup-provider.ts';
import { AppError } from '../../contract/errors.ts';
import type { CommandIo } from '../command.ts';
import { adviseOnField } from '../errors/advise-on-field.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { confirm } from '../io/confirm.ts';
import { printJson } from '../io/print-json.ts';
import { shortFolder } from '../text/short-folder.ts';
import { readKey } from './read-key.ts';
import {
  changeLines,
  checkCostWords,
  hints,
  priceNotices,
  proposalNotices,
} from './setup-words.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Chooses a model from options, without a question except whether to write.
 *
 * @returns The exit code.
 * @throws AppError `USAGE`; `PROVIDER_FAILED` if the provider refuses the key or the model; `SETTINGS_NOT_WRITTEN`.
 */
export async function setupFromOptions(
  { setup }: Capstan,
  options: Options,
  io: CommandIo,
): Promise<number> {
  if (options['yes'] !== true && !io.isTerminal)
    throw new AppError('USAGE', { problem: NO_ANSWER });
  const selection = await adviseOnField(selectionOf(setup, options, io), advice);
  const proposal = await adviseOnField(setup.propose(selection), advice);
  const isJson = options['json'] === true;
  const shownPath = (path: string) => shortFolder(path, io.environment, Number.MAX_SAFE_INTEGER);
  for (const { text } of proposalNotices(proposal, shownPath)) io.stderr(`note: ${text}\n`);
  const print = isJson ? io.stderr : io.stdout;
  for (const { text } of changeLines(proposal, shownPath)) print(`${text}\n`);
  const isAgreed = options['yes'] === true || proposal.changes.length === 0;
  if (!isAgreed && !(await confirm('Write this?', io))) {
    io.stderr('Nothing was written.\n');
    return exitCodes.failed;
  }
  await setup.write(proposal);
  if (isJson) printJson(io, documentOf(proposal));
  else print(proposal.changes.length === 0 ? 'Nothing to write.\n' : 'Written.\n');
  return exitCodes.completed;
}

const NO_ANSWER = 'There is no terminal to ask at. Use `--yes` to write without a question.';

const advice = {
  provider: 'Choose one with --provider.',
  key: 'Pipe it in with --key-stdin.',
  baseUrl: 'Name it with --base-url.',
  models: 'Name one with --model.',
};

const documentOf = ({ changes, overrides }: SetupProposal) => ({ written: changes, overrides });

async function selectionOf(
  setup: Capstan['setup'],
  options: Options,
  io: CommandIo,
): Promise<SetupSelection> {
  const provider = String(options['provider']) as SetupChoice;
  const key = options['keyStdin'] === true ? await readKey(io) : undefined;
  if (provider === 'none') return { provider, key };
  const access = { provider, key, baseUrl: textOf(options['baseUrl']) };
  const named = namedModels(options);
  if (options['check'] === false) {
    const models = complete(named, undefined);
    if (models) await tellPrice(setup, { ...access, model: models.balanced }, io);
    return { ...access, models };
  }
  const models = await listedModels(setup, access, named);
  await check(setup, access, models, io);
  return { ...access, models };
}

type Named = Partial<ModelsByHint>;

function namedModels(options: Options): Named {
  const model = textOf(options['model']);
  const named = hints.map((hint) => [hint, textOf(options[hint]) ?? model] as const);
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
async function listedModels(
  setup: Capstan['setup'],
  access: SetupAccess,
  named: Named,
): Promise<ModelsByHint> {
  const { models, choice, problem } = await setup.models(access);
  if (problem && problem.kind !== 'other') throw failed(problem.message);
  const chosen = complete(named, choice ?? undefined);
  if (chosen) return chosen;
  const listed =
    models.length === 0
      ? 'The server has no list of models'
      : `The server lists ${models.length} models`;
  throw new AppError('USAGE', { problem: `${listed}.`, field: 'models' });
}

async function check(
  setup: Capstan['setup'],
  access: SetupAccess,
  { balanced: model }: ModelsByHint,
  io: CommandIo,
): Promise<void> {
  const cost = await tellPrice(setup, { ...access, model }, io);
  io.stderr(`${checkCostWords(cost)}\n`);
  const { problem } = await setup.check({ ...access, model });
  if (problem) throw failed(problem.message);
}

async function tellPrice(
  setup: Capstan['setup'],
  access: CheckAccess,
  { stderr }: CommandIo,
): Promise<CheckCost> {
  const cost = await setup.checkCost(access);
  for (const { text } of priceNotices(cost)) stderr(`note: ${text}\n`);
  return cost;
}

const failed = (message: string): AppError =>
  new AppError('PROVIDER_FAILED', {
    problem: `${message} Nothing was written. To write it unchecked, add \`--no-check\`.`,
  });

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
