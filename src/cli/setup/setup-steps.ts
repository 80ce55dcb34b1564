import type { SetupProvider } from '../../app/setup/list-providers.ts';
import {
  answeredWords,
  checkChosen,
  takeCheck,
  takeModel,
  takeModels,
  takeRetry,
  takeServed,
} from './model-steps.ts';
import { accessOf, ask, end, perform } from './setup-next.ts';
import {
  askForBaseUrl,
  askForKey,
  askForModel,
  askForProvider,
  hasAllModels,
} from './setup-questions.ts';
import type { SetupInput, SetupState, SetupStep } from './setup-step.ts';
import {
  changeLines,
  checkCostWords,
  done,
  failed,
  notice,
  plain,
  priceNotices,
  proposalNotices,
} from './setup-words.ts';

export interface SetupStart {
  readonly providers: readonly SetupProvider[];
  /** Lines above the first question. */
  readonly head: readonly string[];
  /** A path for people: `~/.config/capstan/.env`, escaped. */
  readonly shownPath: (path: string) => string;
}

/** The first step: which provider? */
export function startSetup({ providers, head, shownPath }: SetupStart): SetupStep {
  const nothing = { baseUrl: undefined, key: undefined, cost: undefined, served: undefined };
  const later = { check: undefined, proposal: undefined, provider: undefined, models: {} };
  const first = askForProvider({ at: 'provider', providers, shownPath, ...nothing, ...later });
  return { ...first, lines: [...head.map(plain), ...first.lines] };
}

/** The next step. Nothing is written before the person agreed to the whole proposal. */
export function takeInput(state: SetupState, input: SetupInput): SetupStep {
  switch (input.kind) {
    case 'leave':
      return end(state, 'left', [plain('Nothing was written.')]);
    case 'line':
      return takeLine(state, { ...input, text: input.text.trim() });
    case 'refused':
      return askAgain(state, input);
    case 'cost':
      return takeCost({ ...state, cost: input.cost });
    case 'models':
      return takeServed({ ...state, served: input.served });
    case 'checked':
      return takeCheck({ ...state, check: input.check });
    case 'proposed':
      return confirm({ ...state, proposal: input.proposal });
    case 'written':
      return end(state, 'written', [done('Written. Try: capstan "What is in this folder?"')]);
  }
}

type Line = SetupInput & { readonly kind: 'line' };

const takers: Readonly<Record<SetupState['at'], (state: SetupState, line: Line) => SetupStep>> = {
  provider: (state, { text }) => takeProvider(state, text),
  base_url: (state, { text }) => takeBaseUrl(state, text),
  key: takeKey,
  models: (state, { text }) => takeModels(state, text),
  model: (state, { text }) => takeModel(state, text),
  retry: (state, { text }) => takeRetry(state, text),
  confirm: (state, { text }) => takeAgreement(state, text),
  ended: (state) => end(state, 'unchanged', []),
};

const takeLine = (state: SetupState, line: Line): SetupStep => takers[state.at](state, line);

function takeProvider(state: SetupState, text: string): SetupStep {
  const provider = state.providers.find(
    ({ id, title }, index) =>
      text === String(index + 1) || [id, title.toLowerCase()].includes(text.toLowerCase()),
  );
  if (provider === undefined)
    return ask(state, '› ', [
      failed(
        `Type a number from 1 to ${state.providers.length}; the last one goes on without a model.`,
      ),
    ]);
  const next = { ...state, provider };
  if (provider.id === 'none')
    return perform(next, { kind: 'propose', selection: { provider: 'none' } });
  return provider.needsBaseUrl ? askForBaseUrl(next) : readCost(next);
}

const takeBaseUrl = (state: SetupState, text: string): SetupStep =>
  text === '' ? askForBaseUrl(state) : readCost({ ...state, baseUrl: text });

const readCost = (state: SetupState): SetupStep =>
  perform(state, { kind: 'cost', access: accessOf(state) });

/** The cost of a check is said before it is made: with the key, and again if other models were chosen. */
function takeCost(state: SetupState): SetupStep {
  if (hasAllModels(state)) {
    const { cost } = state;
    return checkChosen(
      state,
      cost ? [plain(`  ${checkCostWords(cost)}`), ...priceNotices(cost)] : [],
    );
  }
  if (state.provider?.key !== 'none') return askForKey(state);
  return perform(state, { kind: 'models', access: accessOf(state) });
}

function takeKey(state: SetupState, { text, isPasted }: Line): SetupStep {
  const { provider, cost } = state;
  const costs = cost ? `; ${checkCostWords(cost)}` : '';
  if (text === '' && provider?.key === 'required' && provider.keySet === null)
    return askForKey(state, [notice('Paste or type the key. Ctrl-C leaves and writes nothing.')]);
  const key = text === '' ? undefined : text;
  const found = provider?.keySet === null ? 'none' : 'the one that is set';
  const words = key ? `${key.length} characters${isPasted ? ' pasted' : ''}` : found;
  const line = done(`${titleOf(state)} · key (hidden): ${words}${costs}`);
  const next = { ...state, key };
  return perform(next, { kind: 'models', access: accessOf(next) }, [line]);
}

/** A server is named by its address. */
const titleOf = ({ provider, baseUrl }: SetupState): string =>
  provider?.id === 'server' ? (baseUrl ?? '') : (provider?.title ?? '');

function askAgain(
  state: SetupState,
  { field, message }: SetupInput & { readonly kind: 'refused' },
): SetupStep {
  const lines = [failed(message)];
  if (field === 'baseUrl') return askForBaseUrl(state, lines);
  if (field === 'key') return askForKey(state, lines);
  return askForModel({ ...state, models: {} }, lines);
}

/** Every change, then the question. */
function confirm(state: SetupState): SetupStep {
  const { proposal, shownPath } = state;
  const answered = answeredWords(state);
  if (!proposal || proposal.changes.length === 0)
    return end(state, 'unchanged', [
      done(`${answered}It is set up like this already: nothing to write.`),
      ...(proposal ? proposalNotices(proposal, shownPath) : []),
    ]);
  const question = 'Write this? Only you can read these files.';
  return ask({ ...state, at: 'confirm' }, CONFIRM, [
    answered === '' ? plain(question) : done(`${answered}${question}`),
    ...changeLines(proposal, shownPath),
    ...proposalNotices(proposal, shownPath),
  ]);
}

const CONFIRM = '  y write  n change nothing: ';

/** Only `y` writes. */
function takeAgreement(state: SetupState, text: string): SetupStep {
  const { proposal } = state;
  if (text === 'n') return end(state, 'unchanged', [plain('Nothing was written.')]);
  if (text !== 'y' || !proposal)
    return ask(state, CONFIRM, [failed('Type y to write, or n to change nothing.')]);
  return perform(state, { kind: 'write', proposal });
}
