import type { CapsuleOptions } from '../../app/capsules/load-capsules.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandContext } from '../with-capstan.ts';

/** The options of every `capsules` command for the application API. Prints notices. */
export const capsuleOptionsOf = ({
  args,
  io,
}: Pick<CommandContext, 'args' | 'io'>): CapsuleOptions => ({
  settings: args.options,
  by: 'cli',
  onNotice: (text) => io.stderr(`note: ${escapeText(text, true)}\n`),
});
