import { choice, count, dollars, hosts, origins, paths, seconds } from '../kinds.ts';
import { further, never, optional, setting, smaller } from '../setting.ts';

const gate = (what: string, yaml: string) =>
  setting({
    summary: `${what}: \`auto\` follows the table of decisions, the others settle it for every capsule.`,
    kind: choice('auto', 'ask', 'allow', 'deny'),
    fallback: 'auto',
    yaml,
    project: further('allow', 'auto', 'ask', 'deny'),
  });

export const consentSettings = {
  CAPSTAN_CREATE_GATE: gate('Creating a capsule', 'gate.create'),
  CAPSTAN_SPEND_GATE: gate('Spending money', 'gate.spend'),
  CAPSTAN_WRITE_GATE: gate('Writing files', 'gate.write'),
  CAPSTAN_EXECUTE_GATE: gate('Executing commands and changing remote things', 'gate.execute'),
  CAPSTAN_APPROVE_MODE: setting({
    summary: 'Who answers a question that is not forced: a person, or always yes, or always no.',
    kind: choice('ask', 'allow', 'deny'),
    fallback: 'ask',
    yaml: 'approve_mode',
    flag: { name: '--approve-mode', option: 'approveMode' },
    project: further('allow', 'ask', 'deny'),
  }),
  CAPSTAN_APPROVAL_DEADLINE_SEC: optional({
    summary: 'How long a question waits; after that it is denied. Default: for ever.',
    kind: seconds({ min: 1, max: 1_209_600 }),
    yaml: 'approval_deadline_sec',
    project: smaller,
  }),
};

export const budgetSettings = {
  CAPSTAN_BUDGET_RUN_USD: setting({
    summary:
      'What one run may spend. Where you set it yourself, it is also your consent to spend it.',
    kind: dollars({ min: 0, max: 1_000_000 }),
    fallback: '1',
    yaml: 'budget.run_usd',
    flag: { name: '--budget-usd', option: 'budgetUsd' },
    project: smaller,
  }),
  CAPSTAN_BUDGET_DAY_USD: setting({
    summary: 'What all runs of a day may spend together.',
    kind: dollars({ min: 0, max: 1_000_000 }),
    fallback: '10',
    yaml: 'budget.day_usd',
    project: smaller,
  }),
  CAPSTAN_BUDGET_RUN_TOKENS: optional({
    summary: 'How many tokens one run may use, free ones included. Default: no limit.',
    kind: count({ min: 1, max: 1_000_000_000_000 }),
    yaml: 'budget.run_tokens',
    project: smaller,
  }),
};

export const accessSettings = {
  CAPSTAN_ISOLATION: setting({
    summary:
      "The lowest level of isolation that you accept: where it can't be had, nothing runs. `auto` takes the best there is.",
    kind: choice('auto', 'A', 'B', 'C'),
    fallback: 'auto',
    yaml: 'isolation',
    flag: { name: '--require-isolation', option: 'requireIsolation' },
    project: further('auto', 'C', 'B', 'A'),
  }),
  CAPSTAN_SANDBOX_READ: optional({
    summary: 'Files and folders beside the workspace that sandboxed programs may read.',
    kind: paths,
    yaml: 'sandbox_read',
    project: never,
  }),
  CAPSTAN_HOSTS: optional({
    summary:
      'Web hosts that capsules may read from without a question, where their grant has them.',
    kind: hosts,
    yaml: 'hosts',
    project: never,
  }),
  CAPSTAN_PRIVATE_ORIGINS: optional({
    summary: 'Servers on this machine or in a private network that web tools may reach.',
    kind: origins,
    yaml: 'private_origins',
    project: never,
  }),
  CAPSTAN_OPEN_PATHS: optional({
    summary: 'Protected files or folders that you open to capsules by name.',
    kind: paths,
    yaml: 'open_paths',
    project: never,
  }),
};
