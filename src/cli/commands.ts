import type { CommandDefinition } from './command.ts';
import { command as approvals } from './commands/approvals.ts';
import { command as audit } from './commands/audit.ts';
import { command as breakers } from './commands/breakers.ts';
import { command as capsules } from './commands/capsules.ts';
import { command as config } from './commands/config.ts';
import { command as cost } from './commands/cost.ts';
import { command as doctor } from './commands/doctor.ts';
import { command as fork } from './commands/fork.ts';
import { command as init } from './commands/init.ts';
import { command as models } from './commands/models.ts';
import { command as policy } from './commands/policy.ts';
import { command as replay } from './commands/replay.ts';
import { command as resume } from './commands/resume.ts';
import { command as route } from './commands/route.ts';
import { command as run } from './commands/run.ts';
import { command as runs } from './commands/runs.ts';
import { command as sessions } from './commands/sessions.ts';
import { command as trust } from './commands/trust.ts';

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
  models,
  config,
  init,
  doctor,
];
