import { escapeText } from '../../../contract/text/escape-text.ts';
import { briefWords } from '../../report/lines/line-words.ts';
import { createRunLines } from '../../report/lines/run-lines.ts';
import { shortId } from '../../text/short-id.ts';
import { spinnerAt } from '../frame.ts';
import type { OpenQuestionPart } from '../question-part.ts';
import type { OpenRunPart } from '../run-part.ts';

/** Draws a run as lines. */
export const openRunPart: OpenRunPart = (run, context) => {
  const { style } = context.frame();
  const lines = createRunLines((text) => context.print(text.replace(/\n$/, '')), {
    ...{ style, level: 'info', noticeLevel: 'info', words: briefWords, known: [] },
    asking: undefined,
    head: { id: run.id, isolation: run.isolation ?? '' },
  });
  context.print(`  run ${shortId(run.id)}`);
  return {
    onEvent: lines.onEvent,
    onDelta: () => {},
    draw: (frame) => [`${spinnerAt(frame)} works`],
    showNextStep: () => false,
    finish: ({ answer, status }) =>
      context.print(`\n${escapeText(answer ?? '', true)}\n\n${status}`),
  };
};

/** Asks for y or n. */
export const openQuestionPart: OpenQuestionPart = async ({ approvalId }, context) => {
  const approval = await context.capstan.approvals.get(approvalId);
  context.print(`? ${escapeText(approval.question, true)}`);
  let close: (how: 'answered' | 'skipped') => void = () => {};
  const done = new Promise<'answered' | 'skipped'>((resolve) => {
    close = resolve;
  });
  const answer = async (given: string) => {
    await context.capstan.approvals.answer(approvalId, {
      answer: given,
      by: 'terminal',
      binding: approval.binding,
    });
    close('answered');
  };
  return {
    draw: () => ({ lines: ['  y allow once  n deny once  s skip'] }),
    onKey(input) {
      if (!('text' in input)) return;
      if (input.text === 'y') void answer('approve');
      if (input.text === 'n') void answer('deny');
      if (input.text === 's') close('skipped');
    },
    takesText: false,
    onText: (text) => void answer(text),
    isEditing: false,
    skip: () => close('skipped'),
    closeElsewhere: () => close('answered'),
    done,
  };
};
