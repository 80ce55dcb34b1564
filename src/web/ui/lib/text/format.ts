import { replaceInProse, replaceUnseen } from '../../../../contract/text/escape-text.ts';

/** `$0.0412`, `$12.40`, `free`: four digits below a dollar, two above. */
export function money(usd: number): string {
  if (usd === 0) return 'free';
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** `$0 of $1.00`, `$0.0412 of $1.00`; without a budget, only the amount. */
export function moneyOf(usd: number, budgetUsd: number | null): string {
  if (budgetUsd === null) return money(usd);
  return `${usd === 0 ? '$0' : money(usd)} of $${budgetUsd.toFixed(2)}`;
}

/** The cost of a run: `$0` if it could spend, `free` if its models are free. */
export const costOf = (run: { readonly cost_usd: number; readonly is_free: boolean }) =>
  run.cost_usd === 0 && !run.is_free ? '$0' : money(run.cost_usd);

/** `$0.1720, of it estimated $0.1471`; only the cost if all was reported. */
export const spent = (row: Spent, cost = money(row.cost_usd)): string =>
  row.estimated_cost_usd > 0 ? `${cost}, of it estimated ${money(row.estimated_cost_usd)}` : cost;

type Spent = { readonly cost_usd: number; readonly estimated_cost_usd: number };

/** `12 ms`, `0.3 s`, `48 s`, `3 min 05 s`, `2 h 05 min`. */
export function duration(ms: number): string {
  if (ms < 95) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${two(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A duration that is still growing: `2:31`, `1:02:31`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** `812`, `41k`, `1.2M`. */
export function count(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 999_500) return `${(value / 1_000).toFixed(value < 9_950 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** `1 step`, `3 steps`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${value} ${value === 1 ? one : many}`;

/** `512 B`, `12 kB`, `3.1 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

const DAY_MS = 86_400_000;

/** `now`, `40 s`, `6 min`, `2 h` up to a day; then `21 Nov`, and in other years `21 Nov 2025`. */
export function ago(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (ms < 5_000) return 'now';
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < DAY_MS) return `${Math.floor(ms / 3_600_000)} h`;
  return dayOf(at, now);
}

/** `21 Nov`, and in other years `21 Nov 2025`. */
const dayOf = (at: Date, now: Date): string =>
  at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  });

/** `14:02:21`; on another day `21 Nov, 14:02:21`. */
export function timeOn(at: Date, now: Date): string {
  const time = at.toLocaleTimeString('en-GB');
  return at.toDateString() === now.toDateString() ? time : `${dayOf(at, now)}, ${time}`;
}

/** `40 s ago`; `now` and dates as they are. */
export const past = (at: Date, now: Date): string =>
  ago(at, now).replace(/ (?:s|min|h)$/, '$& ago');

/** `22 Nov 2026, 14:04:12`. */
export const fullTime = (at: Date): string =>
  at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** The provider of runs without a model. */
export const OFFLINE = 'offline';

/** The short form of an id: its last eight characters. */
export const shortId = (id: string): string => id.replaceAll('-', '').slice(-8);

/** Joins the texts that are not empty with ` · `. */
export const inLine = (...texts: readonly string[]): string => texts.filter(Boolean).join(' · ');

/** The last part of a path. */
export const folderName = (path: string): string => path.split('/').findLast(Boolean) ?? path;

/** The displayed name of a model. */
export const modelName = (model: string): string =>
  model === OFFLINE || model.startsWith(`${OFFLINE}/`) ? 'no model' : model;

/** The displayed name of a capsule, or `Capstan` for its own work. */
export const capsuleName = (id: string | null): string =>
  id === null || id === '' || id === 'coordinator' ? 'Capstan' : id;

/** Shows characters that are invisible or reorder text as `⟦U+202E⟧`. Line feeds and tabs stay. */
export const visible = (text: string): string => replaceUnseen(text, codePoint, true);

/** The same for prose, such as tasks and answers: emoji stay whole. */
export const visibleProse = (text: string): string => replaceInProse(text, codePoint);

const codePoint = (character: string): string =>
  `⟦U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟧`;

/** Formats a query string: `?status=failed&text=a%20b`. Empty values are left out; without values it is ''. */
export function query(values: Readonly<Record<string, string | number | boolean | undefined>>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
