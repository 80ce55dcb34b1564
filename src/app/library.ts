// biome-ignore-all lint/performance/noBarrelFile: this file is the public interface of the package.
export type { Approval, ApprovalAnswer } from '../contract/approval.ts';
export { AppError, type ErrorCode, type ErrorDetails } from '../contract/errors.ts';
export type { CapstanEvent, NumberedEvent, TextDelta } from '../contract/event.ts';
export type { NextAction } from '../contract/next.ts';
export { editableSteps, type PlanPreview } from '../contract/plan-preview.ts';
export type { Reason, RunStatus } from '../contract/status.ts';
export type { FollowOptions } from '../coordinator/events/follow-events.ts';
export type { CancelOptions } from '../coordinator/stop/stop-run.ts';
export type { AnsweredApproval, AnswerRequest } from './approvals/answer-approval.ts';
export type { RememberRequest } from './approvals/remember-terms.ts';
export type {
  Environment,
  OpenOptions,
  Presence,
  PresentRun,
  SettingsOverrides,
} from './context/open-context.ts';
export { type Capstan, openCapstan } from './open-capstan.ts';
export type { RunDetails } from './runs/show/get-run.ts';
export type { RunDocument } from './runs/show/run-document.ts';
export type { RunSummary } from './runs/show/run-summary.ts';
export type { ResumeOptions } from './runs/start/resume-run.ts';
export type { StartOptions } from './runs/start/start-run.ts';
export type { RunOptions, StartedRun } from './runs/start/started-run.ts';
export type { CancelResult, StopResult } from './runs/steer-run.ts';
export type { Status } from './settings/status/read-status.ts';
