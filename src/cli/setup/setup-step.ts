import type { CheckAccess, CheckCost, SetupCheck } from '../../app/setup/check-model.ts';
import type { SetupSelection } from '../../app/setup/desired-settings.ts';
import type { SetupProvider } from '../../app/setup/list-providers.ts';
import type { ServedModels } from '../../app/setup/list-served.ts';
import type { SetupProposal } from '../../app/setup/propose-changes.ts';
import type { ModelsByHint, SetupAccess } from '../../app/setup/setup-provider.ts';

/** What a surface tells the setup. */
export type SetupInput =
  /** The answer to the prompt. */
  | { readonly kind: 'line'; readonly text: string; readonly isPasted?: boolean }
  /** Ctrl-C, Esc or the end of the input. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'cost'; readonly cost: CheckCost }
  | { readonly kind: 'models'; readonly served: ServedModels }
  | { readonly kind: 'checked'; readonly check: SetupCheck }
  | { readonly kind: 'proposed'; readonly proposal: SetupProposal }
  | { readonly kind: 'written' }
  /** An effect was refused because of something that was typed. */
  | { readonly kind: 'refused'; readonly field: SetupField; readonly message: string };

export type SetupField = 'key' | 'baseUrl' | 'models';

/** What a surface does next; its result is the next input. */
export type SetupEffect =
  | { readonly kind: 'cost'; readonly access: CheckAccess }
  | { readonly kind: 'models'; readonly access: SetupAccess }
  | { readonly kind: 'check'; readonly access: CheckAccess }
  | { readonly kind: 'propose'; readonly selection: SetupSelection }
  | { readonly kind: 'write'; readonly proposal: SetupProposal };

/** A line that is printed once. Its text is safe to print. */
export interface SetupLine {
  readonly mark: 'done' | 'failed' | 'notice' | 'none';
  readonly text: string;
}

export interface SetupPrompt {
  readonly text: string;
  /** What is typed is not shown, and the prompt is removed afterwards. */
  readonly isHidden: boolean;
}

/** Where the setup stands. Holds the key until the end. */
export interface SetupState {
  readonly at: 'provider' | 'base_url' | 'key' | 'models' | 'model' | 'retry' | 'confirm' | 'ended';
  readonly providers: readonly SetupProvider[];
  readonly shownPath: (path: string) => string;
  readonly provider: SetupProvider | undefined;
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly cost: CheckCost | undefined;
  readonly served: ServedModels | undefined;
  readonly models: Partial<ModelsByHint>;
  readonly check: SetupCheck | undefined;
  readonly proposal: SetupProposal | undefined;
}

/** Exactly one of `prompt`, `effect` and `outcome` is not null. */
export interface SetupStep {
  readonly state: SetupState;
  readonly lines: readonly SetupLine[];
  readonly prompt: SetupPrompt | null;
  readonly effect: SetupEffect | null;
  /** `left`: the person left before the end; nothing was written. */
  readonly outcome: 'written' | 'unchanged' | 'left' | null;
}
