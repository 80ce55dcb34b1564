import { exitCodes } from '../errors/exit-codes.ts';

/** What each exit code says. */
export const exitCodeWords: Readonly<Record<keyof typeof exitCodes, string>> = {
  completed: 'completed',
  failed: 'failed, or cancelled elsewhere',
  usage: 'wrong arguments or settings',
  parked: 'parked: a question waits, or the run was stopped; `capstan resume` continues',
  denied: 'denied: a person, a rule, a gate, a deadline or a protection refused what was needed',
  budget: 'the budget is spent',
  provider: 'the model provider is unavailable',
  isolation: 'the isolation level is too low',
  deadline: 'the time limit is over',
  hangup: 'stopped by SIGHUP; the run is parked',
  interrupted: 'stopped by SIGINT (Ctrl-C); the run is parked',
  terminated: 'stopped by SIGTERM; the run is parked',
};

/** `capstan help exit-codes`. */
export const exitCodesHelp = (): string =>
  Object.entries(exitCodeWords)
    .map(
      ([name, words]) =>
        `${String(exitCodes[name as keyof typeof exitCodes]).padStart(3)}  ${words}\n`,
    )
    .join('');
