import { AppError, type ErrorCode, errorCodes } from '../src/contract/errors.ts';

/** Stands for a detail that a message is made of: reads as `‹name›`, whether it is taken as text or as a list. */
function placeholder(name: string): unknown {
  const shown = `‹${name}›`;
  return Object.assign(new String(shown), { join: () => shown, map: () => [shown] });
}

/** Details of which every field is there, except how a process ended: that is not always known. */
const anyDetails = new Proxy(
  {},
  { get: (_target, name) => (name === 'stderrTail' ? undefined : placeholder(String(name))) },
);

const messageOf = (code: ErrorCode): string =>
  new AppError(code, anyDetails as never).message.replace(/\s+/g, ' ').trim();

/** docs/errors.md: every code with its message. */
export const errorsPage = (): string => `# Errors

Every failure that Capstan raises on purpose has a code that stays the same, and a message that names what is wrong and what to do. In
\`--json\` it stands under \`error\`. What stands in ‹› differs from case to case.

| code | message |
|---|---|
${errorCodes.map((code) => `| \`${code}\` | ${messageOf(code).replaceAll('|', '\\|')} |`).join('\n')}
`;
