const KEY = 'capstan.token';

let token = sessionStorage.getItem(KEY) ?? '';

/** The token of this tab; '' if it has none. */
export const readToken = (): string => token;

const readers = new Set<() => void>();

/** Calls `reader` whenever the token changes. Returns a function that unsubscribes it. */
export function onToken(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Removes a token that the server refused. */
export const dropToken = (): void => keepToken('');

function keepToken(value: string): void {
  token = value;
  for (const one of readers) one();
  if (value === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, value);
}

const DEADLINE_MS = 10_000;

/**
 * Exchanges the one-time code in the fragment of the address, if any, for a token, and removes it from the address.
 *
 * @returns Whether this tab has a token.
 */
export async function signIn(): Promise<boolean> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return token !== '';
  history.replaceState(null, '', location.pathname + location.search);
  const response = await fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch(() => undefined);
  if (response?.ok) keepToken(((await response.json()) as { token: string }).token);
  return token !== '';
}
