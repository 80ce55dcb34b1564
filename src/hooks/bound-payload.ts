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
    if (value === undefined) continue;
    const full = JSON.stringify(value);
    const told = JSON.stringify(value, shorten);
    const fits = told.length <= room;
    bounded[name] = fits ? JSON.parse(told) : `[omitted: ${full.length} characters]`;
    room -= fits ? told.length : 0;
    if (!fits || told !== full) cut.push(name);
  }
  return { ...bounded, run_id: payload.run_id, ...(cut.length > 0 && { cut }) };
}

const shorten = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT_CHARS
    ? `${value.slice(0, MAX_TEXT_CHARS)}… [cut: ${value.length} characters in all]`
    : value;
