/** The text below the list of commands in `capstan --help`. */
export const helpEpilogue = `Examples:
  capstan run "Find the ten slowest requests in access.log and save them as slow.md"
  capstan run --provider offline --json "Count the errors in access.log by endpoint"
  capstan doctor

Exit codes: 0 completed, 1 failed, 2 usage or settings, 3 parked, 4 denied, 5 budget, 6 provider unavailable,
7 isolation refused, 124 deadline, 129 hung up, 130 interrupted, 143 terminated.`;
