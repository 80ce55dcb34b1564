import type { CommandDefinition } from './command.ts';
import { command as approvals } from './commands/approvals/approvals.ts';
import { command as capsules } from './commands/capsules/capsules.ts';
import { command as policy } from './commands/policy/policy.ts';
import { command as run } from './commands/run.ts';
import { command as resume } from './commands/runs/resume.ts';
import { command as runs } from './commands/runs/runs.ts';
import { command as sessions } from './commands/runs/sessions.ts';
import { command as dispatch } from './commands/serve/dispatch.ts';
import { command as serve } from './commands/serve/serve.ts';
import { command as completion } from './commands/settings/completion.ts';
import { command as config } from './commands/settings/config.ts';
import { command as doctor } from './commands/settings/doctor.ts';
import { command as models } from './commands/settings/models.ts';
import { command as setup } from './commands/settings/setup.ts';
import { byTopic } from './help/command-group.ts';

/** All commands, in the order of `--help`. Modules that load slowly are imported inside `run`. */
export const commands: readonly CommandDefinition[] = byTopic({
  Work: [run, resume, runs, approvals, sessions, serve, dispatch],
  'Set up': [setup, doctor, config, models, completion],
  Extend: [capsules, policy],
});
