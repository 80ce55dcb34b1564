import { bytes, choice, count, days, mebibytes, path } from '../kinds.ts';
import { any, optional, setting } from '../setting.ts';

export const generalSettings = {
  CAPSTAN_HOME: optional({
    summary: 'One folder for settings, capsules, state and cache, instead of the XDG folders.',
    kind: path,
  }),
  CAPSTAN_WORKSPACE: optional({
    summary: 'The folder that a run works in. Default: the current folder.',
    kind: path,
    yaml: 'workspace',
    option: 'workspace',
  }),
  CAPSTAN_LOG_LEVEL: setting({
    field: 'logLevel',
    summary:
      'What a run prints on stderr: errors and open questions, warnings, progress, or every event.',
    kind: choice('error', 'warn', 'info', 'debug'),
    fallback: 'info',
    yaml: 'log_level',
    project: any,
  }),
  CAPSTAN_RUNS_KEEP_DAYS: setting({
    field: 'retention.keepMs',
    summary: 'Pruning deletes ended runs that are older than this many days.',
    kind: days({ min: 0, max: 36_500 }),
    fallback: '90',
    yaml: 'runs.keep_days',
  }),
  CAPSTAN_RUNS_KEEP_BYTES: setting({
    field: 'retention.keepBytes',
    summary:
      'Pruning deletes the oldest ended runs until the files of the others are no larger than this.',
    kind: bytes({ min: 0, max: 1024 ** 4 }),
    fallback: '2 GiB',
    yaml: 'runs.keep_bytes',
  }),
  CAPSTAN_SERVE_PORT: setting({
    field: 'servePort',
    summary: 'The loopback port of the dashboard and its API. 0: any free one.',
    kind: count({ min: 0, max: 65_535 }),
    fallback: '7717',
    yaml: 'serve.port',
  }),
  CAPSTAN_UNDO_MB: setting({
    field: 'undoBytes',
    summary:
      'Maximum content of changed files that one run keeps for an undo, in MiB. Files that do not fit are listed as not undoable.',
    kind: mebibytes({ min: 0, max: 1_048_576 }),
    fallback: '64',
    yaml: 'runs.undo_mb',
  }),
};

/** Settings for terminals. The first frame is drawn before any file is read, so they are read from the environment only. */
export const terminalSettings = {
  CAPSTAN_ASCII: setting({
    summary: '1: use ASCII instead of symbols. Read from the environment only.',
    kind: choice('0', '1'),
    fallback: '0',
  }),
  CAPSTAN_BELL: setting({
    summary: '0: no bell when a question waits or a long run ends. Read from the environment only.',
    kind: choice('0', '1'),
    fallback: '1',
  }),
  CAPSTAN_MOTION: setting({
    summary:
      'reduced: no animation; the screen updates at most once a second. Read from the environment only.',
    kind: choice('full', 'reduced'),
    fallback: 'full',
  }),
  CAPSTAN_PLAIN: setting({
    summary:
      '1: print whole sentences and redraw nothing, for screen readers. Read from the environment only.',
    kind: choice('0', '1'),
    fallback: '0',
  }),
};
