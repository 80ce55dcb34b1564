import type { CommandDefinition } from './command.ts';
import { command as audit } from './commands/account/audit.ts';
import { command as cost } from './commands/account/cost.ts';
import { command as approvals } from './commands/approvals/approvals.ts';
import { command as capsules } from './commands/capsules/capsules.ts';
import { command as route } from './commands/capsules/route.ts';
import { command as policy } from './commands/policy/policy.ts';
import { command as trust } from './commands/policy/trust.ts';
import { command as fork } from './commands/replay/fork.ts';
import { command as replay } from './commands/replay/replay.ts';
import { command as run } from './commands/run.ts';
import { command as resume } from './commands/runs/resume.ts';
import { command as runs } from './commands/runs/runs.ts';
import { command as sessions } from './commands/runs/sessions.ts';
import { command as breakers } from './commands/settings/breakers.ts';
import { command as config } from './commands/settings/config.ts';
import { command as doctor } from './commands/settings/doctor.ts';
import { command as init } from './commands/settings/init.ts';
import { command as models } from './commands/settings/models.ts';
import { command as setup } from './commands/settings/setup.ts';

/** All commands, in the order of `--help`. Modules that load slowly are imported inside `run`. */
export const commands: readonly CommandDefinition[] = [
  run,
  resume,
  replay,
  fork,
  runs,
  sessions,
  approvals,
  audit,
  capsules,
  route,
  policy,
  trust,
  cost,
  breakers,
  setup,
  models,
  config,
  init,
  doctor,
];
