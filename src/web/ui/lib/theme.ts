const KEY = 'capstan.theme';

type Theme = 'light' | 'dark';

/** Applies the stored theme, if any. Called before the first paint. */
export function applyTheme(): void {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
}

/** Switches between light and dark, and stores the choice. */
export function switchTheme(): void {
  const next: Theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  localStorage.setItem(KEY, next);
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}
