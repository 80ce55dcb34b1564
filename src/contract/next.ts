import type { Approval, ApprovalAnswer } from './approval.ts';

/**
 * A possible next action, as data. A surface turns it into a command line, a button or a link.
 * An optional `id` is omitted if it is not known, or if the action does not need one.
 */
export type NextAction =
  | AnswerAction
  | RaiseAction
  | { readonly action: ActionOnOne; readonly id: string }
  | { readonly action: ActionOnAny; readonly id?: string | undefined };

/** Answer a question with one of its choices, or with other words. */
export interface AnswerAction {
  readonly action: 'answer';
  readonly id: string;
  readonly choices: readonly ApprovalAnswer[];
  /** For a capsule's question: whether any other text is an answer too. Omitted for other questions. */
  readonly free_text?: boolean;
}

/** Resume a run with a higher limit: its budget, its time, or a setting that has no option. */
export type RaiseAction =
  | {
      readonly action: 'raise_budget' | 'raise_timeout';
      readonly id: string;
      /** Suggested: US dollars or seconds. */
      readonly value: number;
    }
  | {
      readonly action: 'raise_setting';
      readonly id: string;
      /** `CAPSTAN_MAX_INTENTS` */
      readonly setting: string;
      readonly value: number;
    };

/** The action that answers an open question. */
export const answerAction = ({
  id,
  kind,
  choices,
  freeText,
}: Pick<Approval, 'id' | 'kind' | 'choices' | 'freeText'>): AnswerAction => ({
  action: 'answer',
  id,
  choices,
  ...(kind === 'question' ? { free_text: freeText } : {}),
});

type ActionOnOne =
  | 'show_run'
  | 'cancel'
  | 'show_approval'
  | 'inspect_capsule'
  /** Check the files of a capsule, which may be broken. */
  | 'check_capsule'
  | 'test_capsule'
  | 'restore_capsule';

type ActionOnAny =
  /** Continue a parked run; without an id the only one of the workspace. */
  | 'resume'
  | 'list_runs'
  | 'list_approvals'
  | 'list_remembered'
  | 'list_memory'
  | 'confirm_memory'
  | 'export_capsule'
  /** Record the answers of models and pages with a capsule's cases. */
  | 'record_cases'
  | 'choose_provider'
  /** Give a task without the earlier tasks of its session, or a smaller one. */
  | 'clear_session'
  /** Run without isolation, at the user's own risk. */
  | 'waive_isolation'
  /** Fork although files of the workspace differ. */
  | 'force_fork'
  | 'run_doctor';
