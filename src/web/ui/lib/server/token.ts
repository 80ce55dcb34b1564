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

/** Other tabs with this page. Only scripts of this origin, which includes the port, can open it. */
const tabs = new BroadcastChannel(KEY);
const ASK = 'ask';
const ANSWER_MS = 500;

/** How long a new tab may take to ask, after a person opened a link of this tab in it. */
const OPENED_MS = 10_000;
let opened = Number.NEGATIVE_INFINITY;

/** Whether a person opens, or may choose to open, a link to this page in a new tab. */
function opensTab({ type, button, ctrlKey, metaKey, shiftKey, target }: MouseEvent): boolean {
  const isForTab = type === 'contextmenu' || button === 1 || ctrlKey || metaKey || shiftKey;
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
  return isForTab && !!link && link.origin === location.origin;
}

for (const act of ['click', 'auxclick', 'contextmenu'] as const)
  addEventListener(act, (event) => {
    if (event.isTrusted && opensTab(event)) opened = performance.now();
  });

/**
 * Hands the token out only when a link was opened in a new tab, once for each: a page of another program that used this
 * port before has the same origin, and may still be open and ask.
 */
tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data !== ASK || token.read() === '' || performance.now() - opened > OPENED_MS) return;
  opened = Number.NEGATIVE_INFINITY;
  tabs.postMessage({ token: token.read() });
};

/** The token of another tab; '' if none answers in time. */
const askOtherTabs = (): Promise<string> =>
  new Promise((resolve) => {
    const answered = new AbortController();
    const end = (found: string) => {
      answered.abort();
      resolve(found);
    };
    const onAnswer = ({ data }: MessageEvent<{ readonly token?: string }>) => {
      if (data.token !== undefined) end(data.token);
    };
    tabs.addEventListener('message', onAnswer, { signal: answered.signal });
    setTimeout(end, ANSWER_MS, '');
    tabs.postMessage(ASK);
  });

function keepToken(found: string): void {
  token.write(found);
  sessionStorage.setItem(KEY, found);
}

/**
 * Exchanges the one-time code in the fragment of the address, if any, for a token, and removes it from the address.
 * Without a code, a tab that has no token asks the others.
 *
 * @returns Whether this tab has a token.
 */
export async function signIn(): Promise<boolean> {
  const code = codeInAddress();
  if (code === '' && token.read() === '') {
    const found = await askOtherTabs();
    // A link with a code may have signed in meanwhile.
    if (found !== '' && token.read() === '') keepToken(found);
  }
  if (code === '') return token.read() !== '';
  history.replaceState(null, '', location.pathname + location.search);
  const response = await fetch('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch(() => undefined);
  if (response?.ok) keepToken(((await response.json()) as { token: string }).token);
  return token.read() !== '';
}
