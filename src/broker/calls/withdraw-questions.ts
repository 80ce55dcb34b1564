import type { ToolCall } from './tool/tool-call.ts';

/** Closes pending questions whose content is outdated. */
export function withdrawQuestions({ intent: { id, runId }, context }: ToolCall): void {
  const { journal, approvals, audit } = context.parts;
  journal.commit(() => {
    for (const ref of approvals.withdraw(id)) {
      const detail = { intent: id };
      audit.append({ actor: 'policy', action: 'approval.withdrawn', runId, ref, detail });
    }
  });
}
