/** The end of a notice about files that are not trusted. The command line adds its command. */
export const REVIEW_AND_TRUST = 'Review them, then trust them.';
