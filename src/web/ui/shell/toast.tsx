import { createStore } from '../lib/store.ts';
import { Button } from '../parts/input/button.tsx';

const SHOWN_MS = 5_000;
const MAX_KEPT = 3;

/** The texts that stay until they are dismissed, and one that does not. */
const shown = createStore({ kept: [] as readonly string[], passing: '' });
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for five seconds, in place of the one before. */
export const toast = (passing: string): void => {
  clearTimeout(timer);
  shown.write({ ...shown.read(), passing });
  timer = setTimeout(() => shown.write({ ...shown.read(), passing: '' }), SHOWN_MS);
};

/** Shows a message until it is dismissed, with the two kept before. */
export const keepToast = (text: string): void =>
  shown.write({ ...shown.read(), kept: [...withoutKept(text), text].slice(-MAX_KEPT) });

const withoutKept = (text: string) => shown.read().kept.filter((one) => one !== text);

/** Shows why a download failed. */
export const showFailure = (error: unknown): void =>
  toast(error instanceof Error ? error.message : String(error));

/** The place where messages appear. */
export function Toast() {
  const { kept, passing } = shown.use();
  const dismiss = (text: string) => shown.write({ ...shown.read(), kept: withoutKept(text) });
  return (
    <div role="status" className={kept.length === 0 && passing === '' ? 'vh' : 'toast'}>
      {kept.map((text) => (
        <p key={text}>
          {text}
          <Button word="Dismiss" onClick={() => dismiss(text)} />
        </p>
      ))}
      {passing && <p>{passing}</p>}
    </div>
  );
}
