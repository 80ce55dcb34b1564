import { AppError, type ErrorCode, errorCodes } from '../../src/contract/errors.ts';

/**
 * Placeholders for the details of any error: `‹name›`. A list of one text reads like the text and can be joined; `problem`
 * may be the whole message. The end of stderr is left out, because it is not always known.
 */
const anyDetails = new Proxy(
  {},
  {
    get(_target, name) {
      if (name === 'stderrTail') return undefined;
      const shown = `‹${String(name)}›`;
      return name === 'problem' ? shown : [shown];
    },
  },
);

function rowOf(code: ErrorCode): string {
  const { message, next } = new AppError(code, anyDetails as never);
  const text = message.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
  return `| \`${code}\` | ${text} | ${next.map(({ action }) => `\`${action}\``).join(', ')} |`;
}

/** docs/errors.md: every code with its message and next steps. */
export const errorsPage = (): string => `# Errors

Every failure that Capstan raises on purpose has a stable code, a message that says what is wrong and how to fix it, and often the actions
that help. \`--json\` prints code and message under \`error\`, and the actions under \`next\`, each with its command line; without \`--json\`
the command lines are below the message. Text in ‹› differs from case to case.

| code | message | next |
|---|---|---|
${errorCodes.map(rowOf).join('\n')}
`;
