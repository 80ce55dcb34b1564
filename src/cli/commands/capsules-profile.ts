import { isatty } from 'node:tty';
import { printable } from '../../contract/text/printable.ts';
import { endRun } from '../../coordinator/end-run.ts';
import { failureOf, reasonOf } from '../../coordinator/failure.ts';
import { profileFor } from '../../coordinator/profile-for.ts';
import type { RunContext } from '../../coordinator/run-context.ts';
import type { CapsuleProfile } from '../../registry/create/capsule-profile.ts';
import { answerQuestions } from '../answer-questions.ts';
import { createStyle } from '../style.ts';
import { createTerminalApprover } from '../terminal-approver.ts';
import type { CapsulesHere } from './capsules-ground.ts';

/**
 * What the model makes of a description. The call is a run of its own, so that its cost is asked about, budgeted and told
 * like any other; undefined where there is no model, or none that may be or could be asked, which is said.
 */
export async function profileByModel(
  { io, args, loaded: { settings } }: CapsulesHere,
  description: string,
): Promise<CapsuleProfile | undefined> {
  const { chooseProvider } = await import('../../llm/choose-provider.ts');
  const { provider: setting, keys, baseUrls } = settings;
  const provider = await chooseProvider({ setting, keys, ollamaBaseUrl: baseUrls.ollama });
  if (provider.name === 'offline') return undefined;
  const { openContext } = await import('../../app/open-context.ts');
  const { approvalsApi } = await import('../../app/approvals/approvals-api.ts');
  const { startRun } = await import('../../app/runs/start-run.ts');
  const { environment: env, cwd } = io;
  const context = await openContext({ env, cwd, presence: () => io.isTerminal });
  const approvals = approvalsApi(context);
  const style = createStyle(env, isatty(2));
  const approver = createTerminalApprover({ io, style, rowOf: (id) => approvals.get(id) });
  const asked = askOnce(description);
  try {
    const run = await startRun(context, {
      task: `Describe a capsule: ${description}`,
      settings: args.options,
      body: asked.follow,
      onEvent: io.isTerminal ? answerQuestions({ approvals }, approver, io.stderr) : undefined,
    });
    const { error } = await run.finished;
    if (error) {
      const why = printable(error.message);
      io.stderr(`note: the model did not describe it (${why}); its words do.\n`);
    }
    return asked.profile();
  } finally {
    await context.close();
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
