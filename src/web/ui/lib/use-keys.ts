import { useEffect, useRef } from 'react';

const OFF = 'capstan.keys-off';

/** Whether single-letter keys are switched on (WCAG 2.1.4). Default: yes. */
export const areKeysOn = (): boolean => localStorage.getItem(OFF) === null;

export function switchKeys(): void {
  if (areKeysOn()) localStorage.setItem(OFF, '1');
  else localStorage.removeItem(OFF);
}

/** Where letters are text. */
const FIELDS = 'input, textarea, select, [contenteditable]';

/** Keys that repeat while held. */
const MOVES = new Set(['j', 'k']);

let prefix = { key: '', at: 0 };
const PREFIX_MS = 1_000;

/** The keys that were pressed: `g h` if the second came soon after the first. */
function pressed(key: string): string {
  const isSecond = prefix.key !== '' && performance.now() - prefix.at < PREFIX_MS;
  return isSecond ? `${prefix.key} ${key}` : key;
}

/** Whether a key press is for the page, not for a field. */
function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  if (event.key === 'Escape') return true;
  // A held key answers only one question, and none behind an open sheet.
  if (event.repeat && !MOVES.has(event.key)) return false;
  if (document.querySelector('dialog[open]')) return false;
  const target = event.target as Element;
  if (event.key === 'Enter' && target.closest?.('a, button, summary')) return false;
  return areKeysOn() && target.closest?.(FIELDS) === null;
}

/**
 * Performs an action when its key is pressed: `j`, `Y`, `?`, `Escape`, or two in a row as `g h`. Not while typing in a field, except
 * `Escape`, and not with Ctrl, Alt or Meta, which are the browser's.
 */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const action = current.current[pressed(event.key)];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Remembers the first of two keys, after every action has seen it. */
export function watchPrefix(): void {
  addEventListener('keydown', ({ key }) => {
    if (key === 'Shift') return;
    const isFirst = key === 'g' && prefix.key === '';
    setTimeout(() => {
      prefix = isFirst ? { key: 'g', at: performance.now() } : { key: '', at: 0 };
    });
  });
}
