import { createStore } from '../store.ts';

const KEY = 'capstan.token';

/** The token of this tab; '' if it has none. */
export const token = createStore(sessionStorage.getItem(KEY) ?? '');

/** Removes a token that the server refused. */
export function dropToken(): void {
  token.write('');
  sessionStorage.removeItem(KEY);
}

const DEADLINE_MS = 10_000;

/** The one-time code in the fragment of the address; '' if there is none. */
const codeInAddress = () => new URLSearchParams(location.hash.slice(1)).get('code') ?? '';

/** Signs in when a link with a code is opened in this tab, which changes only the fragment. */
export const watchCode = (onSignedIn: () => void): void =>
  addEventListener('hashchange', async () => {
    if (codeInAddress() !== '' && (await signIn())) onSignedIn();
  });

/**
 * Exchanges the one-time code in the fragment of the address, if any, for a token, and removes it from the address.
 *
 * @returns Whether this tab has a token.
 */
export async function signIn(): Promise<boolean> {
  const code = codeInAddress();
  if (code === '') return token.read() !== '';
  history.replaceState(null, '', location.pathname + location.search);
  const response = await fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch(() => undefined);
  if (response?.ok) {
    token.write(((await response.json()) as { token: string }).token);
    sessionStorage.setItem(KEY, token.read());
  }
  return token.read() !== '';
}
