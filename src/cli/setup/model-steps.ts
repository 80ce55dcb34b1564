import { escapeText } from '../../contract/text/escape-text.ts';
import { formatDuration } from '../format.ts';
import { accessOf, ask, end, perform } from './setup-next.ts';
import {
  askForKey,
  askForModel,
  askForModels,
  askWhetherToRetry,
  hasAllModels,
  nextHint,
  propose,
  suggestedFor,
} from './setup-questions.ts';
import type { SetupLine, SetupState, SetupStep } from './setup-step.ts';
import { done, failed, modelsWords, notice, plain } from './setup-words.ts';

/** The provider's list came, or why there is none. */
export function takeServed(state: SetupState): SetupStep {
  const { models = [], choice = null, problem = null } = state.served ?? {};
  if (problem?.kind === 'unreachable') return askWhetherToRetry(state, [failed(problem.message)]);
  if (problem?.kind === 'key' && state.provider?.key !== 'none')
    return askForKey(state, [failed(problem.message)]);
  if (problem)
    return askForModels(state, [notice(`No list of models: ${escapeText(problem.message)}`)]);
  const works = worksWords(state);
  if (choice === null)
    return askForModel(state, [done(`${works} It lists ${models.length} models.`)]);
  if (models.length !== 1)
    return askForModels(state, [done(`${works} Models (2: choose others from ${models.length}):`)]);
  return checkChosen({ ...state, models: choice }, [
    done(`${works} Its model: ${modelsWords(choice)}`),
  ]);
}

/** Only a vendor's own list needs the key. */
const worksWords = ({ provider, key }: SetupState): string => {
  if (provider?.key !== 'required')
    return `${provider?.id === 'ollama' ? 'Ollama' : 'The server'} answers.`;
  return key === undefined ? 'The key that is set works.' : 'The key works.';
};

/** Takes the proposed models, or asks for others. */
export function takeModels(state: SetupState, text: string): SetupStep {
  const choice = state.served?.choice;
  if (choice && (text === '' || text === '1')) return checkChosen({ ...state, models: choice });
  if (text === '2') return askForModel({ ...state, models: {} });
  return ask(state, '› ', [failed('Type 1 to take these models, or 2 to choose others.')]);
}

/** Takes one model by its number or name. */
export function takeModel(state: SetupState, text: string): SetupStep {
  const hint = nextHint(state);
  const listed = state.served?.models ?? [];
  const numbered = /^\d+$/.test(text) ? listed[Number(text) - 1] : text;
  const model = text === '' ? suggestedFor(state, hint) : numbered;
  if (model === undefined || model === '')
    return askForModel(
      state,
      text === '' ? [] : [failed(`There is no model ${text} in the list.`)],
    );
  const next = { ...state, models: { ...state.models, [hint]: model } };
  if (!hasAllModels(next)) return askForModel(next);
  return perform(next, {
    kind: 'cost',
    access: { ...accessOf(next), model: next.models.balanced },
  });
}

/** Asks the model for most steps. */
export function checkChosen(state: SetupState, lines: readonly SetupLine[] = []): SetupStep {
  const access = { ...accessOf(state), model: state.models.balanced };
  return perform(state, { kind: 'check', access }, lines);
}

/** The model answered, or why it did not. */
export function takeCheck(state: SetupState): SetupStep {
  const problem = state.check?.problem;
  return problem ? askWhetherToRetry(state, [failed(problem.message)]) : propose(state);
}

/** After a failed check: write all the same, try again, choose another model or key, or leave. */
export function takeRetry(state: SetupState, text: string): SetupStep {
  switch (text) {
    case 'y':
      return propose({ ...state, check: undefined });
    case 'm':
      return askForModel({ ...state, models: {} });
    case 'k':
      return state.provider?.key === 'none' ? askWhetherToRetry(state) : askForKey(state);
    case 'n':
      return end(state, 'unchanged', [plain('Nothing was written.')]);
    case 'r':
      return hasAllModels(state)
        ? checkChosen(state)
        : perform(state, { kind: 'models', access: accessOf(state) });
    default:
      return askWhetherToRetry(state);
  }
}

/** `claude-sonnet-5 answered in 0.9 s.` */
export function answeredWords({ check }: SetupState): string {
  if (!check || check.problem) return '';
  const time = check.latencyMs === null ? '' : ` in ${formatDuration(check.latencyMs)}`;
  return `${escapeText(check.model)} answered${time}. `;
}
