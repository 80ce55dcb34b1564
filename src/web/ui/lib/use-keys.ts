import { type KeyboardEvent as FormKeyEvent, useEffect, useRef } from 'react';

const OFF = 'capstan.keys-off';

/** Whether single-letter keys are switched on (WCAG 2.1.4). Default: yes. */
export const areKeysOn = (): boolean => localStorage.getItem(OFF) === null;

/** Switches single-letter keys on or off, and stores the choice. */
export function switchKeys(): void {
  if (areKeysOn()) localStorage.setItem(OFF, '1');
  else localStorage.removeItem(OFF);
}

/** Elements in which letters are text. */
const FIELDS = 'input, textarea, select, [contenteditable]';

/** Keys whose action repeats while they are held. */
const REPEATING = new Set(['j', 'k', 'Escape']);

let prefix = { key: '', at: 0 };
const PREFIX_MS = 1_000;

/** The pressed keys: `Ctrl s`, or `g h` if the second followed within a second. */
function pressed({ key, ctrlKey: isCtrl }: KeyboardEvent): string {
  if (isCtrl) return `Ctrl ${key}`;
  const isSecond = prefix.key !== '' && performance.now() - prefix.at < PREFIX_MS;
  return isSecond ? `${prefix.key} ${key}` : key;
}

/** Whether a key press is for the page, not for a field. */
function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.metaKey) return false;
  if (event.key === 'Escape') return true;
  if (document.querySelector('dialog[open]')) return false;
  if (event.ctrlKey) return true;
  const target = event.target as Element;
  const presses = event.key === 'Enter' || event.key === ' ';
  if (presses && target.closest?.('a, button, summary')) return false;
  return areKeysOn() && target.closest?.(FIELDS) === null;
}

/**
 * Performs an action when its key is pressed: `j`, `Y`, `?`, `Escape`, `Ctrl s`, or a sequence such as `g h`. In a field,
 * only `Escape` and keys with Ctrl work. Keys with Alt or Meta, and others with Ctrl, belong to the browser.
 */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const action = current.current[pressed(event)];
      if (!action) return;
      event.preventDefault();
      // A held key must not answer two questions, or one behind a dialog that it closed.
      if (!event.repeat || REPEATING.has(event.key)) action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Escape leaves a field, so that letters are keys again. Called once. */
export function leaveOnEscape(): void {
  addEventListener('keydown', ({ key, target, isComposing }) => {
    if (key !== 'Escape' || isComposing) return;
    if (target instanceof HTMLElement && target.matches(FIELDS)) target.blur();
  });
}

/** Stores the first key of a sequence, after the actions have seen it. Called once. */
export function watchPrefix(): void {
  addEventListener('keydown', ({ key }) => {
    if (key === 'Shift') return;
    const isFirst = key === 'g' && prefix.key === '';
    setTimeout(() => {
      prefix = isFirst ? { key: 'g', at: performance.now() } : { key: '', at: 0 };
    });
  });
}

/** Ctrl and Enter in a field send its form, once: a browser would send it for Enter, too. */
export function submitOnEnter(event: FormKeyEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !event.ctrlKey) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
