import { isatty } from 'node:tty';
import { messageOf } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { endRun } from '../../coordinator/end-run.ts';
import { failureOf, reasonOf } from '../../coordinator/failure.ts';
import { profileFor } from '../../coordinator/profile-for.ts';
import type { RunContext } from '../../coordinator/run-context.ts';
import type { CapsuleProfile } from '../../registry/create/capsule-profile.ts';
import { createStyle } from '../style.ts';
import { createTerminalApprover } from '../terminal-approver.ts';
import type { CapsulesHere } from './capsules-ground.ts';

/**
 * What the model makes of a description. The call is a run of its own, so that its cost is asked about, budgeted and told
 * like any other; undefined where there is no model, or none that may be or could be asked, which is said.
 */
export async function profileByModel(
  { io, loaded: { settings, project } }: CapsulesHere,
  description: string,
): Promise<CapsuleProfile | undefined> {
  const { openApp } = await import('../../app/open-app.ts');
  const style = createStyle(io.environment, isatty(2));
  const approver = io.isTerminal
    ? createTerminalApprover({ io, style, rowOf: (id) => app.stores.approvals.find(id) })
    : undefined;
  const asked = askOnce(description);
  const graph = { follow: asked.follow };
  const app = await openApp({ settings, project, graph, ...(approver ? { approver } : {}) });
  try {
    if (app.provider.name === 'offline') return undefined;
    const { signal } = new AbortController();
    const { error } = await app.startRun({ task: `Describe a capsule: ${description}`, signal });
    if (error) {
      const why = printable(messageOf(error));
      io.stderr(`note: the model did not describe it (${why}); its words do.\n`);
    }
    return asked.profile();
  } finally {
    await app.close();
  }
}

/** A run whose only work is the profile. It ends whatever happens: nobody would resume it. */
function askOnce(description: string) {
  let profile: CapsuleProfile | undefined;
  return {
    profile: () => profile,
    async follow(run: RunContext): Promise<void> {
      const { parts, record, scope } = run;
      const end = (ending: Omit<Parameters<typeof endRun>[2], 'answer'>) =>
        endRun(parts, record.id, { answer: null, ...ending });
      try {
        await parts.registry.sync();
        profile = await profileFor(run, description, scope.coordinator);
        end({ status: 'completed', reason: null, error: null });
      } catch (error) {
        end({ status: 'failed', reason: reasonOf(error), error: failureOf(error) });
      }
    },
  };
}
