/** One subtask of a plan, as the `plan` document has it. */
export interface PlannedStep {
  readonly id: string;
  readonly description: string;
  readonly depends_on: readonly string[];
}
/**
 * Splits an explicit task into steps, in the order they stand. The same task always gives the same steps.
 *
 * Every word of the task is in the description of some step, joints (`and then`), list markers and courtesy apart;
 * `in it` and `in the file` become the file's name where an earlier step gave it.
 */
export declare function planTask(text: string): readonly PlannedStep[];
