import { type Edited, edit, nothingTyped } from '../input/edit.ts';
import { isCtrl, isKey, type KeyInput } from '../terminal/key.ts';

/** What a key does while a plan waits: what is typed is a change of it. */
export type PlanKey =
  | { readonly does: 'type'; readonly line: Edited }
  | { readonly does: 'change'; readonly text: string }
  | { readonly does: 'start' | 'edit' | 'drop' | 'leave' };

export function planKey(line: Edited, input: KeyInput): PlanKey {
  const text = line.text.trim();
  if (isKey(input, 'enter')) return text === '' ? { does: 'start' } : { does: 'change', text };
  if (isKey(input, 'esc')) return { does: 'drop' };
  if (isCtrl(input, 'g')) return { does: 'edit' };
  if (isCtrl(input, 'c') || isCtrl(input, 'd')) return leaveKey(line, input);
  return { does: 'type', line: edit(line, input) ?? line };
}

function leaveKey(line: Edited, input: KeyInput): PlanKey {
  if (line.text === '') return { does: 'leave' };
  return { does: 'type', line: isCtrl(input, 'c') ? nothingTyped : (edit(line, input) ?? line) };
}
