import type { HookPayload } from './hook.ts';

/** Maximum length of a text and of a payload for a hook, in characters. */
const MAX_TEXT_CHARS = 256 * 1024;
const MAX_PAYLOAD_CHARS = 1024 * 1024;

/**
 * A payload within the size limit. Longer texts are truncated and state their length; `cut` then names the fields
 * that are not complete, so that a hook can deny them.
 */
export function boundPayload(payload: HookPayload): HookPayload {
  const whole = JSON.stringify(payload).length;
  if (whole <= MAX_TEXT_CHARS) return payload;
  const cut: string[] = [];
  const bounded: Record<string, unknown> = {};
  let room = MAX_PAYLOAD_CHARS;
  for (const [name, value] of Object.entries(payload)) {
    const told = shorten(value);
    const chars = JSON.stringify(told ?? null).length;
    const fits = chars <= room;
    bounded[name] = fits ? told : leftOut(JSON.stringify(value).length);
    room -= fits ? chars : 0;
    if (!fits || told !== value) cut.push(name);
  }
  return { ...bounded, run_id: payload.run_id, ...(cut.length > 0 && { cut }) };
}

const leftOut = (chars: number): string => `[omitted: ${chars} characters]`;

/** Returns the value itself if nothing in it is too long. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_TEXT_CHARS) return value;
    return `${value.slice(0, MAX_TEXT_CHARS)}… [cut: ${value.length} characters in all]`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(shorten);
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value).map(([name, inner]) => [name, inner, shorten(inner)]);
  if (entries.every(([, inner, told]) => inner === told)) return value;
  return Object.fromEntries(entries.map(([name, , told]) => [name, told]));
}
