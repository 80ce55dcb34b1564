import type { Capstan } from '../../app/open-capstan.ts';
import type { CheckCost, SetupCheck } from '../../app/settings/setup/check-model.ts';
import type { SetupProvider } from '../../app/settings/setup/list-providers.ts';
import type { ServedModels } from '../../app/settings/setup/list-served.ts';
import type { SetupProposal } from '../../app/settings/setup/propose-changes.ts';
import type { ModelsByHint, SetupAccess } from '../../app/settings/setup/setup-provider.ts';
import { failedWith, messageOf } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { ModelHint } from '../../contract/wire/chat.ts';
import { modelHints } from '../../contract/wire/model-hints.ts';
import type { SetupLine, SetupSurface, SetupWork } from './setup-surface.ts';
import {
  addressNotices,
  answeredWords,
  changeLines,
  checkCostWords,
  connectedText,
  done,
  failed,
  listedLines,
  modelsWords,
  notice,
  plain,
  proposalNotices,
} from './setup-words.ts';

/** How a setup ends, unless the person leaves. */
export type Outcome = 'written' | 'unchanged';

/** What was typed and found out so far. Each step adds to it and calls the next one. */
interface SetupFlow {
  readonly setup: Capstan['setup'];
  readonly surface: SetupSurface;
  readonly shownPath: (path: string) => string;
  readonly provider: SetupProvider;
  baseUrl?: string | undefined;
  key?: string | undefined;
  cost?: CheckCost;
  served?: ServedModels;
  models: Partial<ModelsByHint>;
  check?: SetupCheck | undefined;
}

type End = Promise<Outcome>;
type Step = (flow: SetupFlow, ...lines: readonly SetupLine[]) => End;

/** The steps after a provider was chosen. @throws SetupLeft, and the errors of the application API. */
export function continueSetup(flow: SetupFlow): End {
  if (flow.provider.id === 'none') return propose(flow);
  return flow.provider.needsBaseUrl ? askBaseUrl(flow) : readCost(flow);
}

async function ask({ surface }: SetupFlow, text: string, lines: readonly SetupLine[] = []) {
  if (lines.length > 0) surface.print(lines);
  return (await surface.ask({ text, isHidden: false })).text.trim();
}

/** Makes a call and continues with its result. If the call refuses the input, asks for it again. */
async function perform<T>(
  flow: SetupFlow,
  what: SetupWork,
  work: Promise<T>,
  next: (result: T) => End,
): End {
  let result: T;
  try {
    result = await flow.surface.during(what, work);
  } catch (error) {
    const field = failedWith(error, 'USAGE') ? error.details.field : undefined;
    const askAgain = askers[field ?? ''];
    if (!askAgain) throw error;
    return askAgain(flow, failed(messageOf(error)));
  }
  return next(result);
}

function accessOf({ provider, key, baseUrl }: SetupFlow): SetupAccess {
  if (provider.id === 'none') throw new Error('No provider was chosen.');
  return { provider: provider.id, key, baseUrl };
}

const checkAccessOf = (flow: SetupFlow) => ({ ...accessOf(flow), model: flow.models.balanced });

const askBaseUrl: Step = async (flow, ...lines) => {
  const text = await ask(flow, '  Its address, such as http://127.0.0.1:8000/v1: ', lines);
  if (text === '') return askBaseUrl(flow);
  flow.baseUrl = text;
  return readCost(flow);
};

/** The cost of a check is shown before it is made: with the key, and again if other models were chosen. */
const readCost: Step = (flow) =>
  perform(flow, 'cost', flow.setup.checkCost(checkAccessOf(flow)), (cost) => {
    flow.cost = cost;
    if (!hasAllModels(flow)) return flow.provider.key === 'none' ? listModels(flow) : askKey(flow);
    flow.surface.print([plain(`  ${checkCostWords(cost)}`)]);
    return check(flow);
  });

/** A key that is set already can stay. */
const askKey: Step = async (flow, ...lines) => {
  const { surface, provider, cost } = flow;
  if (lines.length > 0) surface.print(lines);
  const { text, isPasted } = await surface.ask({ text: keyQuestion(provider), isHidden: true });
  const key = text.trim();
  if (key === '' && provider.key === 'required' && provider.keySet === null)
    return askKey(flow, notice('Paste or type the key. Ctrl-C leaves and writes nothing.'));
  flow.key = key || undefined;
  const kept = provider.keySet === null ? 'none' : 'the one that is set';
  const given = key === '' ? kept : `${key.length} characters${isPasted ? ' pasted' : ''}`;
  const who = provider.id === 'server' ? (flow.baseUrl ?? '') : provider.title;
  const costs = cost ? `; ${checkCostWords(cost)}` : '';
  surface.print([done(`${who} · key (hidden): ${given}${costs}`)]);
  return listModels(flow);
};

function keyQuestion({ id, title, keySet, key }: SetupProvider): string {
  const kept = keySet === null ? '' : `; Enter keeps ${keySet}`;
  const words = kept || (key === 'optional' ? '; Enter for none' : '');
  return `  ${id === 'server' ? 'Its' : title} key (hidden${words}): `;
}

/** Reads the provider's list, and says why there is none. */
const listModels: Step = (flow) =>
  perform(flow, 'models', flow.setup.models(accessOf(flow)), (served) => {
    flow.served = served;
    const { models, choice, problem, baseUrl } = served;
    flow.surface.print(addressNotices(served, flow.baseUrl));
    flow.baseUrl = baseUrl;
    if (problem?.kind === 'unreachable') return askWhetherToRetry(flow, failed(problem.message));
    if (problem?.kind === 'key' && flow.provider.key !== 'none')
      return askKey(flow, failed(problem.message));
    if (problem)
      return askModels(flow, notice(`No list of models: ${escapeText(problem.message)}`));
    const works = connectedText(flow.provider, flow.key);
    if (choice === null)
      return askEachModel(flow, done(`${works} It lists ${models.length} models.`));
    if (models.length !== 1)
      return askModels(flow, done(`${works} Models (2: choose others from ${models.length}):`));
    flow.models = choice;
    flow.surface.print([done(`${works} Its model: ${modelsWords(choice)}`)]);
    return check(flow);
  });

const askModels: Step = async (flow, ...lines) => {
  const choice = flow.served?.choice;
  if (!choice) return askEachModel(flow, ...lines);
  let text = await ask(flow, '› ', [...lines, plain(`  1 ${modelsWords(choice)}`)]);
  while (!['', '1', '2'].includes(text))
    text = await ask(flow, '› ', [failed('Type 1 to take these models, or 2 to choose others.')]);
  if (text === '2') return askEachModel(flow);
  flow.models = choice;
  return check(flow);
};

/** Asks for each model, by its number in the list or its name: the most used one first. */
const askEachModel: Step = async (flow, ...lines) => {
  flow.models = {};
  const above = [...lines, ...listedLines(flow.served?.models ?? [])];
  for (const hint of ['balanced', 'fast', 'best'] as const) {
    const model = await askModel(flow, hint, hint === 'balanced' ? above : []);
    flow.models = { ...flow.models, [hint]: model };
  }
  return readCost(flow);
};

async function askModel(
  flow: SetupFlow,
  hint: ModelHint,
  lines: readonly SetupLine[],
): Promise<string> {
  const listed = flow.served?.models ?? [];
  // Enter takes the proposed model, else the one for most steps.
  const suggested = flow.served?.choice?.[hint] ?? flow.models.balanced;
  const kept = suggested === undefined ? '' : `, Enter for ${escapeText(suggested)}`;
  const text = await ask(flow, `  ${questions[hint]} (name or number${kept}): `, lines);
  const named = /^\d+$/.test(text) ? listed[Number(text) - 1] : text;
  const model = text === '' ? suggested : named;
  if (model !== undefined) return model;
  const wrong = text === '' ? [] : [failed(`There is no model ${text} in the list.`)];
  return askModel(flow, hint, hint === 'balanced' ? [...wrong, ...listedLines(listed)] : wrong);
}

const questions: Readonly<Record<ModelHint, string>> = {
  balanced: 'Model for most steps',
  fast: 'for small steps',
  best: 'for hard steps',
};

const hasAllModels = ({ models }: SetupFlow): boolean =>
  modelHints.every((hint) => models[hint] !== undefined);

/** Asks the model for most steps. */
const check: Step = (flow) =>
  perform(flow, 'check', flow.setup.check(checkAccessOf(flow)), (checked) => {
    flow.check = checked;
    const { problem } = checked;
    return problem ? askWhetherToRetry(flow, failed(problem.message)) : propose(flow);
  });

const RETRY = '  y write unchecked  r try again  m other models  k other key  n nothing: ';

const askWhetherToRetry: Step = async (flow, ...lines) => {
  const text = await ask(flow, RETRY, lines);
  if (text === 'm') return askEachModel(flow);
  if (text === 'k' && flow.provider.key !== 'none') return askKey(flow);
  if (text === 'r') return hasAllModels(flow) ? check(flow) : listModels(flow);
  if (text === 'n') return end(flow, plain('Nothing was written.'));
  if (text !== 'y') return askWhetherToRetry(flow);
  flow.check = undefined;
  return propose(flow);
};

function end({ surface }: SetupFlow, ...lines: readonly SetupLine[]): End {
  surface.print(lines);
  return Promise.resolve('unchanged');
}

function propose(flow: SetupFlow): End {
  const { fast, balanced, best } = flow.models;
  const models = fast && balanced && best ? { fast, balanced, best } : undefined;
  const selection =
    flow.provider.id === 'none' ? { provider: 'none' as const } : { ...accessOf(flow), models };
  const proposing = flow.setup.propose(selection);
  return perform(flow, 'propose', proposing, (proposal) => confirm(flow, proposal));
}

const CONFIRM = '  y write  n change nothing: ';

/** Every change, then the question. Only `y` writes. */
async function confirm(flow: SetupFlow, proposal: SetupProposal): End {
  const answered = answeredWords(flow.check);
  const notices = proposalNotices(proposal, flow.shownPath);
  const same = done(`${answered}It is set up like this already: nothing to write.`);
  if (proposal.changes.length === 0) return end(flow, same, ...notices);
  const question = 'Write this? Only you can read these files.';
  const head = answered === '' ? plain(question) : done(`${answered}${question}`);
  const lines = [head, ...changeLines(proposal, flow.shownPath), ...notices];
  let text = await ask(flow, CONFIRM, lines);
  while (text !== 'y' && text !== 'n')
    text = await ask(flow, CONFIRM, [failed('Type y to write, or n to change nothing.')]);
  if (text === 'n') return end(flow, plain('Nothing was written.'));
  return perform(flow, 'write', flow.setup.write(proposal), async () => 'written' as const);
}

/** By the field that the application API refuses. */
const askers: Readonly<Record<string, Step | undefined>> = {
  baseUrl: askBaseUrl,
  key: askKey,
  models: askEachModel,
};
