import type { AttemptTally } from '../../broker/intent/scope.ts';

import type { Failure, Reason } from '../../contract/status.ts';

export type AttemptOutcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly reason: Reason;
      readonly failure: Failure;
      readonly tally: AttemptTally;
    };
