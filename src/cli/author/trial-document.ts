import type { TrialResult } from '../../authoring/trial.ts';

/** How one trial ended, as `--json` prints it. */
export const trialDocument = (result: TrialResult) => ({
  status: result.status,
  error: result.error,
  answer: result.answer,
  model_calls: result.modelCalls,
  tool_calls: result.toolCalls,
  cost_usd: result.costMicroUsd / 1e6,
  approvals: result.approvals,
  reworded: result.reworded,
  not_recorded: result.unknown,
});
