import type { PolicyOptions } from '../../app/policy/policy-sources.ts';
import type { CommandContext } from '../with-capstan.ts';
import { textOption } from './option-value.ts';

/** The options that the `policy` commands share. Notices go to stderr. */
export const policyOptions = ({ args, io }: CommandContext): PolicyOptions => ({
  overrides: args.options,
  policyFile: textOption(args.options['policy']),
  onNotice: (notice) => io.stderr(`note: ${notice}\n`),
});
