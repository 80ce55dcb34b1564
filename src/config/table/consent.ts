import { choice, count, dollars, hosts, origins, paths, seconds } from '../kinds.ts';
import { further, listed, optional, setting, smaller } from '../setting.ts';

const gate = <const F extends string>(field: F, what: string, yaml: string) =>
  setting({
    field,
    summary: `${what}: \`auto\` uses the decision table, the others decide for every capsule.`,
    kind: choice('auto', 'ask', 'allow', 'deny'),
    fallback: 'auto',
    yaml,
    project: further('allow', 'auto', 'ask', 'deny'),
  });

export const consentSettings = {
  CAPSTAN_CREATE_GATE: gate('gates.create', 'Creating a capsule', 'gate.create'),
  CAPSTAN_SPEND_GATE: gate('gates.spend', 'Spending money', 'gate.spend'),
  CAPSTAN_WRITE_GATE: gate('gates.write', 'Writing files', 'gate.write'),
  CAPSTAN_EXECUTE_GATE: gate(
    'gates.execute',
    'Executing commands and changing something remote',
    'gate.execute',
  ),
  CAPSTAN_APPROVE_MODE: setting({
    field: 'approveMode',
    summary:
      'How questions are answered that are not forced and have no remembered answer: by a person, always yes, or always no.',
    kind: choice('ask', 'allow', 'deny'),
    fallback: 'ask',
    yaml: 'approve_mode',
    option: 'approveMode',
    project: further('allow', 'ask', 'deny'),
  }),
  CAPSTAN_APPROVAL_DEADLINE_SEC: optional({
    field: 'approvalDeadlineMs',
    summary: 'How long a question stays open; after that it is denied. Default: no limit.',
    kind: seconds({ min: 1, max: 1_209_600 }),
    yaml: 'approval_deadline_sec',
    project: smaller,
  }),
};

export const budgetSettings = {
  CAPSTAN_BUDGET_RUN_USD: setting({
    field: 'budget.runMicroUsd',
    summary: 'Spending limit of one run. Setting it yourself is also your consent to spend it.',
    kind: dollars({ min: 0, max: 1_000_000 }),
    fallback: '1',
    yaml: 'budget.run_usd',
    option: 'budgetUsd',
    project: smaller,
  }),
  CAPSTAN_BUDGET_DAY_USD: setting({
    field: 'budget.dayMicroUsd',
    summary: 'Spending limit of all runs of a day.',
    kind: dollars({ min: 0, max: 1_000_000 }),
    fallback: '10',
    yaml: 'budget.day_usd',
    project: smaller,
  }),
  CAPSTAN_BUDGET_RUN_TOKENS: optional({
    field: 'budget.runTokens',
    summary: 'Token limit of one run, including free tokens. Default: no limit.',
    kind: count({ min: 1, max: 1_000_000_000_000 }),
    yaml: 'budget.run_tokens',
    project: smaller,
  }),
};

export const accessSettings = {
  CAPSTAN_ISOLATION: setting({
    field: 'isolation',
    summary:
      'The lowest isolation level that you accept; if it is not available, nothing runs. `auto` uses the best available level.',
    kind: choice('auto', 'A', 'B', 'C'),
    fallback: 'auto',
    yaml: 'isolation',
    option: 'requireIsolation',
    project: further('auto', 'C', 'B', 'A'),
  }),
  CAPSTAN_SANDBOX_READ: listed({
    field: 'sandboxRead',
    summary: 'Files and folders outside the workspace that sandboxed programs may read.',
    kind: paths,
    yaml: 'sandbox_read',
  }),
  CAPSTAN_HOSTS: listed({
    field: 'hosts',
    summary:
      'Web hosts that capsules may read from without a question, if their grant contains them.',
    kind: hosts,
    yaml: 'hosts',
  }),
  CAPSTAN_PRIVATE_ORIGINS: listed({
    field: 'privateOrigins',
    summary: 'Servers on this machine or in a private network that web tools may use.',
    kind: origins,
    yaml: 'private_origins',
  }),
  CAPSTAN_OPEN_PATHS: listed({
    field: 'openPaths',
    summary: 'Protected files or folders that capsules may use.',
    kind: paths,
    yaml: 'open_paths',
  }),
};
