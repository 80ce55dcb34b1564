import type { CheckCost, SetupCheck } from '../../app/settings/setup/check-model.ts';
import type { SetupProvider } from '../../app/settings/setup/list-providers.ts';
import type { ServedModels } from '../../app/settings/setup/list-served.ts';
import type { SettingChange, SetupProposal } from '../../app/settings/setup/propose-changes.ts';
import type { ModelsByHint } from '../../app/settings/setup/setup-provider.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { modelHints } from '../../contract/wire/model-hints.ts';
import { formatDuration } from '../text/format.ts';
import type { SetupLine } from './setup-surface.ts';

/** A path for people: `~/.config/capstan/.env`, escaped. */
type ShownPath = (path: string) => string;

export const plain = (text: string): SetupLine => ({ mark: 'none', text });
export const done = (text: string): SetupLine => ({ mark: 'done', text });
export const failed = (text: string): SetupLine => ({ mark: 'failed', text: escapeText(text) });
export const notice = (text: string): SetupLine => ({ mark: 'notice', text });

/** `a check costs under $0.001` */
export function checkCostWords({ usd, isPriceKnown }: CheckCost): string {
  if (usd === 0) return 'a check is free';
  const amount = usd < 0.001 ? 'under $0.001' : `at most $${usd.toFixed(usd < 0.01 ? 4 : 2)}`;
  const why = isPriceKnown ? '' : ' (price unknown: the highest is assumed)';
  return `a check costs ${amount}${why}`;
}

/** `a (fast), b (balanced), c (best)`; only the name if one model does everything. */
export function modelsWords(models: ModelsByHint): string {
  const names = [...new Set(modelHints.map((hint) => models[hint]))];
  if (names.length === 1) return escapeText(names[0] ?? '');
  const usesOf = (name: string) => modelHints.filter((hint) => models[hint] === name).join(', ');
  return names.map((name) => `${escapeText(name)} (${usesOf(name)})`).join(', ');
}

/** The address to use, if it is not the given one. */
export const addressNotices = ({ baseUrl }: ServedModels, given: string | undefined) =>
  baseUrl === undefined || baseUrl === given
    ? []
    : [notice(`The server has its models at ${escapeText(baseUrl)}.`)];

/** Longer lists are cut: a name can be typed too. */
const MAX_SHOWN = 30;

/** Models with their numbers. */
export function listedLines(models: readonly string[]): readonly SetupLine[] {
  const shown = models
    .slice(0, MAX_SHOWN)
    .map((model, index) => plain(`  ${String(index + 1).padStart(2)} ${escapeText(model)}`));
  const rest = models.length - shown.length;
  return rest > 0 ? [...shown, plain(`  … ${rest} more: type a name`)] : shown;
}

/** Only a vendor's own list needs the key. */
export function connectedText(provider: SetupProvider, key: string | undefined): string {
  if (provider.key !== 'required')
    return `${provider.id === 'ollama' ? 'Ollama' : 'The server'} answers.`;
  return key === undefined ? 'The key that is set works.' : 'The key works.';
}

/** `claude-sonnet-5 answered in 0.9 s. ` */
export function answeredWords(check: SetupCheck | undefined): string {
  if (!check || check.problem) return '';
  const time = check.latencyMs === null ? '' : ` in ${formatDuration(check.latencyMs)}`;
  return `${escapeText(check.model)} answered${time}. `;
}

/** The providers to choose from, on two lines. */
export function providerLines(providers: readonly SetupProvider[]): readonly SetupLine[] {
  const words = providers.map(({ title, isFound, keySet }, index) => {
    const found = isFound === null ? '' : isFound ? ' (found on this machine)' : ' (not running)';
    return `${index + 1} ${title}${found}${keySet === null ? '' : ' (key set)'}`;
  });
  return [plain(`  ${words.slice(0, 4).join('   ')}`), plain(`  ${words.slice(4).join('   ')}`)];
}

/** One line for each change: its file, the setting, the new value and the old one. */
export function changeLines(proposal: SetupProposal, shownPath: ShownPath): readonly SetupLine[] {
  const { changes } = proposal;
  const files = changes.map(({ file }) => shownPath(file));
  const width = Math.max(0, ...files.map(({ length }) => length));
  return changes.map((change, index) =>
    plain(`  ${(files[index] ?? '').padEnd(width)}   ${changeWords(change)}`),
  );
}

/** `provider: anthropic (was openai)` */
export function changeWords({ file, setting, before, after }: SettingChange): string {
  const was = before === null ? '' : ` (was ${escapeText(before)})`;
  if (after === null) return `${setting} removed${was}`;
  return `${setting}${/\.env$/.test(file) ? '=' : ': '}${escapeText(after)}${was}`;
}

/** What the person should know before they agree to a proposal. */
export function proposalNotices({ overrides }: SetupProposal, shownPath: ShownPath) {
  return overrides.map(({ setting, layer, source, value }) =>
    notice(
      layer === 'environment'
        ? `${source} is set in the environment and overrides it: ${escapeText(value)}`
        : `${setting} is set in ${shownPath(source)} and overrides it${layer === 'project' ? ' in this folder' : ''}: ${escapeText(value)}`,
    ),
  );
}
