const KEY = 'capstan.token';

let token = sessionStorage.getItem(KEY) ?? '';

/** The token of this tab; '' if it has none. */
export const readToken = (): string => token;

export function keepToken(value: string): void {
  token = value;
  if (value === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, value);
}

/**
 * Exchanges the one-time code in the address's fragment, if there is one, for a token, and takes it out of the address.
 *
 * @returns Whether this tab has a token now.
 */
export async function signIn(): Promise<boolean> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return token !== '';
  history.replaceState(null, '', location.pathname + location.search);
  const response = await fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (response.ok) keepToken(((await response.json()) as { token: string }).token);
  return token !== '';
}
