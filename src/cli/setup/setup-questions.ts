import { escapeText } from '../../contract/text/escape-text.ts';
import { accessOf, ask, perform } from './setup-next.ts';
import type { SetupLine, SetupState, SetupStep } from './setup-step.ts';
import { type Hint, hints, modelsWords, plain, providerLines } from './setup-words.ts';

type Lines = readonly SetupLine[];

export const askForProvider = (state: SetupState): SetupStep =>
  ask({ ...state, at: 'provider' }, '› ', [
    plain('Which model should it use?'),
    ...providerLines(state.providers),
  ]);

export const askForBaseUrl = (state: SetupState, lines: Lines = []): SetupStep =>
  ask({ ...state, at: 'base_url' }, '  Its address, such as http://127.0.0.1:8000/v1: ', lines);

/** A key that is set already can stay. */
export function askForKey(state: SetupState, lines: Lines = []): SetupStep {
  const { title = '', keySet = null, key } = state.provider ?? {};
  const name = state.provider?.id === 'server' ? 'Its' : title;
  const kept = keySet === null ? '' : `; Enter keeps ${keySet}`;
  const words = kept || (key === 'optional' ? '; Enter for none' : '');
  return ask({ ...state, at: 'key', key: undefined }, `  ${name} key (hidden${words}): `, lines);
}

/** A proposal to take or to change. */
export function askForModels(state: SetupState, lines: Lines): SetupStep {
  const choice = state.served?.choice;
  if (!choice) return askForModel({ ...state, models: {} }, lines);
  const shown = plain(`  1 ${modelsWords(choice)}`);
  return ask({ ...state, at: 'models', models: {} }, '› ', [...lines, shown]);
}

/** Asks for the next model that is not chosen, by its number in the list or its name. */
export function askForModel(state: SetupState, lines: Lines = []): SetupStep {
  const hint = nextHint(state);
  const suggested = suggestedFor(state, hint);
  const kept = suggested === undefined ? '' : `, Enter for ${escapeText(suggested)}`;
  const all = hint === 'balanced' ? [...lines, ...listLines(state.served?.models ?? [])] : lines;
  return ask({ ...state, at: 'model' }, `  ${wordsOf[hint]} (name or number${kept}): `, all);
}

const wordsOf: Readonly<Record<Hint, string>> = {
  balanced: 'Model for most steps',
  fast: 'for small steps',
  best: 'for hard steps',
};

/** The order of the questions: the most used one first. */
const asked = ['balanced', 'fast', 'best'] as const;

export const nextHint = ({ models }: SetupState): Hint =>
  asked.find((hint) => models[hint] === undefined) ?? 'best';

export const hasAllModels = ({ models }: SetupState): boolean =>
  hints.every((hint) => models[hint] !== undefined);

/** What Enter takes: the proposed model, else the one for most steps. */
export const suggestedFor = ({ served, models }: SetupState, hint: Hint): string | undefined =>
  served?.choice?.[hint] ?? models.balanced;

/** Longer lists are cut: a name can be typed too. */
const MAX_SHOWN = 30;

function listLines(models: readonly string[]): Lines {
  const shown = models
    .slice(0, MAX_SHOWN)
    .map((model, index) => plain(`  ${String(index + 1).padStart(2)} ${escapeText(model)}`));
  const rest = models.length - shown.length;
  return rest > 0 ? [...shown, plain(`  … ${rest} more: type a name`)] : shown;
}

const RETRY = '  y write unchecked  r try again  m other models  k other key  n nothing: ';

/** After a failed check. */
export const askWhetherToRetry = (state: SetupState, lines: Lines = []): SetupStep =>
  ask({ ...state, at: 'retry' }, RETRY, lines);

/** Works out what would be written. */
export function propose(state: SetupState): SetupStep {
  const { fast, balanced, best } = state.models;
  const models = fast && balanced && best ? { fast, balanced, best } : undefined;
  return perform(state, { kind: 'propose', selection: { ...accessOf(state), models } });
}
