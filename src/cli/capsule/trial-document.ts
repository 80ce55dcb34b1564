import type { ComparedTask } from '../../app/capsules/overlay/compare-overlays.ts';

/** One trial, for JSON. */
export const trialDocument = (result: ComparedTask['before']) => ({
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
