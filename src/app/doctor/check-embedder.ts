import type { Settings } from '../../config/settings.ts';
import { failedWith, messageOf } from '../../contract/errors.ts';
import { openOwnEmbedder } from '../wiring/models/open-own-embedder.ts';
import { type Check, checksOf } from './check.ts';

const { ok, fail } = checksOf('models');

/** Opens the embedder as a run does, and embeds a text. Downloads nothing. */
export async function checkEmbedder(settings: Settings): Promise<Check> {
  const name = 'embedder';
  try {
    const embedder = await openOwnEmbedder(settings, { mayDownload: false });
    try {
      await embedder.embed(['slow requests in a log']);
      return ok(name, `${embedder.name}, version ${embedder.version}`);
    } finally {
      await embedder.close();
    }
  } catch (error) {
    if (!failedWith(error, 'EMBEDDER_UNAVAILABLE')) return fail(name, messageOf(error), REINSTALL);
    const { embedder, problem, fix, isDownloadable } = error.details;
    const next = isDownloadable ? 'download_model' : undefined;
    return fail(name, `${embedder}: ${problem}`, fix, next);
  }
}

const REINSTALL = 'Install Capstan again: its folder models/ is incomplete.';
