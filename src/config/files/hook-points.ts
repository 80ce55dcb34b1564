/** Where a hook is called. */
export const hookPoints = [
  'pre_run',
  'post_run',
  'pre_plan',
  'post_plan',
  'pre_model_call',
  'post_model_call',
  'pre_tool_call',
  'post_tool_call',
  'pre_approval',
  'post_approval',
] as const;
