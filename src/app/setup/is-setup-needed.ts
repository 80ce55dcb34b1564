import type { AppContext } from '../app-context.ts';
import { chooseFor } from '../wiring/models/choose-for.ts';

/** Whether no model is chosen: no provider is set, no key is, and no Ollama answers on this machine. */
export async function isSetupNeeded(context: AppContext): Promise<boolean> {
  const { settings } = await context.settings();
  if (settings.provider !== undefined) return false;
  return (await chooseFor(settings)).name === 'offline';
}
